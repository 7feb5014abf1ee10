import type { Config } from '../config/env.js';
import { directUrlFor } from '../infra/database/embedded/database-url.js';
import { startEmbeddedPostgres } from '../infra/database/embedded/embedded-postgres.js';
import { DataDirLock } from '../supervisor/data-dir-lock.js';
import { ensureDatabase } from '../infra/database/embedded/ensure-database.js';

/**
 * Runs `work` on the service's database: that of `DATABASE_URL`, or the embedded one. Starts the embedded database for
 * the work if the service is not running.
 */
export async function administeredDatabase<T>(
  config: Config,
  work: (databaseUrl: string) => Promise<T>,
): Promise<T> {
  const running = await directUrlFor(config);
  if (running !== undefined) return work(running);
  const log = {
    info: () => undefined,
    warn: (text: string) => process.stderr.write(`${text}\n`),
    error: (text: string) => process.stderr.write(`${text}\n`),
  };
  const lock = await DataDirLock.acquire(config.dataDir, { say: log.warn });
  try {
    const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, log });
    try {
      await ensureDatabase(postgres.databaseUrl);
      return await work(postgres.databaseUrl);
    } finally {
      await postgres.stop('fast');
    }
  } finally {
    lock.release();
  }
}
