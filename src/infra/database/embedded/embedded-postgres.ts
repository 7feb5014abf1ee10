import { join } from 'node:path';
import { loadSecrets } from '../../../config/secrets/secrets.js';
import { readConnectionRecord, writeConnectionRecord } from './connection-record.js';
import { embeddedUrl } from './database-url.js';
import { EmbeddedPostgresError } from './embedded-postgres-error.js';
import { freePort, isPortFree } from './free-port.js';
import { initCluster } from './init-cluster.js';
import { stopLeftovers } from './leftovers.js';
import type { Log } from './log.js';
import { type Placement, placeCluster } from './placement.js';
import { processRealm, processStamp } from '../../processes/process-stamp.mjs';
import { ServerProcess } from './server-process.js';
import { watchOver } from './watchdog.js';
import { errorText } from '../../../kernel/errors/error-text.js';

/** A running embedded server. */
export interface EmbeddedPostgres {
  /** URL of the service's database, which may not exist yet (see ensure-database.ts). */
  readonly databaseUrl: string;
  readonly pid: number;
  /** Called once when the server exits, expected or not. */
  onExit(callback: () => void): void;
  /**
   * `fast` closes every connection and leaves a clean cluster; `immediate` is a crash that the next start recovers
   * from. `kill` also leaves the files of the cluster alone, which another server may own by now. Resolves when the
   * process has exited.
   */
  stop(mode: StopMode): Promise<void>;
}

export type StopMode = 'fast' | 'immediate' | 'kill';
const STOP_SIGNALS = { fast: 'SIGINT', immediate: 'SIGQUIT', kill: 'SIGKILL' } as const;

export interface EmbeddedPostgresOptions {
  readonly dataDir: string;
  readonly log: Log;
  /** `false` is faster, but a crash of the machine may lose data: only for tests. Default `true`. */
  readonly durable?: boolean;
}

const START_ATTEMPTS = 5;
const FAST_STOP_MS = 20_000;

/**
 * Starts the PostgreSQL of the npm package on the cluster of `dataDir`, which the first start creates. Only one process
 * at a time may do this for a folder; the supervisor holds a lock.
 * @throws EmbeddedPostgresError with a readable message
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, log } = options;
  const secrets = await loadSecrets(dataDir);
  const placement = await placeCluster(dataDir, log);
  const durability = { durable: options.durable ?? true };
  await initCluster(placement, secrets.postgresPassword, durability);
  const logPath = join(dataDir, 'logs', 'postgres.log');
  const { server, port } = await startOnFreePort(placement, options, { ...durability, logPath });
  const watchdog = watchOver(server.pid, placement.identity);
  server.onExit(() => watchdog.kill('SIGKILL'));
  const stamp = processStamp(server.pid);
  const running = { pid: server.pid, realm: processRealm(), ...(stamp !== undefined && { stamp }) };
  await writeConnectionRecord(dataDir, { port, ...running });
  return {
    databaseUrl: embeddedUrl(secrets, port),
    pid: server.pid,
    onExit: (callback) => server.onExit(callback),
    stop: async (mode) => {
      if (server.hasEnded) return;
      await server.stop(STOP_SIGNALS[mode], FAST_STOP_MS);
      if (mode !== 'kill') await writeConnectionRecord(dataDir, { port });
    },
  };
}

async function startOnFreePort(
  placement: Placement,
  { dataDir, log }: EmbeddedPostgresOptions,
  settings: { readonly durable: boolean; readonly logPath: string },
): Promise<{ server: ServerProcess; port: number }> {
  let port = readConnectionRecord(dataDir)?.port ?? (await freePort());
  for (let attempt = 1; ; attempt += 1) {
    if (!(await isPortFree(port))) {
      const taken = port;
      port = await freePort();
      log.warn(`port ${taken} of the embedded PostgreSQL is taken by someone else; using ${port}`);
    }
    try {
      return { server: await ServerProcess.start(placement, { ...settings, port }), port };
    } catch (error) {
      const reason = errorText(error);
      // The port may have been taken since the check; other errors are permanent.
      if (attempt === START_ATTEMPTS || (await isPortFree(port))) {
        throw new EmbeddedPostgresError(
          `The embedded PostgreSQL does not start: ${reason} (whole log: ${settings.logPath})`,
          { cause: error },
        );
      }
      await stopLeftovers(placement.clusterDir, log);
    }
  }
}
