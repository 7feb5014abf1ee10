import type { Config } from '../../config/env.js';
import { readConnectionRecord } from '../../infra/database/embedded/connection-record.js';
import { isAlive } from '../../infra/processes/process-stamp.mjs';
import { probeRedis } from '../../infra/queue/probe-redis.js';
import { apiPort } from '../../supervisor/api-port.js';
import { type Finding, missing, ok, reasonOf } from './finding.js';

/** The oldest version that BullMQ supports. */
const OLDEST_REDIS = [6, 2];

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
    const pid = readConnectionRecord(dataDir)?.pid;
    const isOurs = pid !== undefined && isAlive(pid);
    if (isOurs)
      return ok('port', `${host}:${wanted} is in use, most likely by the service that runs on ${dataDir}`);
    return missing('port', `${host}:${wanted} cannot be used`, reasonOf(error));
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
    return missing('queue', `the Redis of REDIS_URL does not answer (${reasonOf(error)})`, advice);
  }
}
