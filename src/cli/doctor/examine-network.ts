import { isIPv6 } from 'node:net';
import type { Config } from '../../config/env.js';
import { readConnectionRecord } from '../../infra/database/embedded/connection-record.js';
import { isAlive } from '../../infra/processes/process-stamp.mjs';
import { probeRedis } from '../../infra/queue/probe-redis.js';
import { apiPort } from '../../supervisor/api-port.js';
import { StartError } from '../../roles/start-error.js';
import { type Finding, missing, ok, reasonOf } from './finding.js';

/** The oldest version that BullMQ supports. */
const OLDEST_REDIS = [6, 2];
/** Longer than an api process of a busy machine takes to answer a health check. */
const ANSWER_MS = 5_000;
/** Where a process that listens on all addresses can be reached. */
const LOOPBACK: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Checks the API's port, and Redis if the queue uses it. */
export async function examineNetwork(config: Config): Promise<readonly Finding[]> {
  return [await port(config), await queue(config)];
}

async function port({ host, port: wanted, dataDir }: Config): Promise<Finding> {
  if (wanted === 0) return ok('port', 'PORT=0: any free one');
  try {
    await apiPort(host, wanted);
    return ok('port', `${host}:${wanted} is free`);
  } catch (error) {
    if (!isInUse(error)) return missing('port', `${host}:${wanted} cannot be used`, reasonOf(error));
    const pid = readConnectionRecord(dataDir)?.pid;
    const isOurs = pid !== undefined && isAlive(pid);
    if (isOurs)
      return ok('port', `${host}:${wanted} is in use, most likely by the service that runs on ${dataDir}`);
    if (await isThisService(host, wanted))
      return ok(
        'port',
        `${host}:${wanted} is in use by an api process; if it belongs to another installation, set PORT to another port`,
      );
    return missing('port', `${host}:${wanted} cannot be used`, reasonOf(error));
  }
}

const isInUse = (error: unknown): boolean =>
  error instanceof StartError && (error.cause as NodeJS.ErrnoException).code === 'EADDRINUSE';

/** Whether the api of this service answers there: by its health check, with the id that it gives to each request. */
async function isThisService(host: string, wanted: number): Promise<boolean> {
  const address = LOOPBACK[host] ?? host;
  const url = `http://${isIPv6(address) ? `[${address}]` : address}:${wanted}/health/live`;
  try {
    const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS) });
    const isLive = (await answer.text()) === '{"status":"ok"}';
    return isLive && answer.headers.get('x-request-id')?.startsWith('req_') === true;
  } catch {
    return false;
  }
}

async function queue({ redisUrl }: Config): Promise<Finding> {
  if (redisUrl === undefined) return ok('queue', 'in PostgreSQL');
  try {
    const version = await probeRedis(redisUrl);
    const [major = 0, minor = 0] = version.split('.').map(Number);
    const isNew = major > OLDEST_REDIS[0]! || (major === OLDEST_REDIS[0] && minor >= OLDEST_REDIS[1]!);
    if (isNew) return ok('queue', `Redis ${version} answers`);
    return missing('queue', `Redis ${version} is too old`, `Use Redis ${OLDEST_REDIS.join('.')} or newer.`);
  } catch (error) {
    const advice = 'Check REDIS_URL, or leave it out: the queue then lives in PostgreSQL.';
    return missing('queue', `the Redis of REDIS_URL cannot be used (${reasonOf(error)})`, advice);
  }
}
