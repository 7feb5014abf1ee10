import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanupOnce } from '../../lib/cleanup.mjs';
import { built } from '../../lib/built.mjs';

const LOG = { info: () => undefined, warn: console.error, error: console.error };

/**
 * Starts a temporary database with all migrations. `close` removes it, and so does a signal that ends this process.
 * @param {{ durable?: boolean, preload?: string }} [options] `preload`: a library that PostgreSQL loads when it starts
 */
export async function openDatabase({ durable = true, preload } = {}) {
  const { startEmbeddedPostgres } = await built('infra/database/embedded/embedded-postgres.js');
  const { ensureDatabase } = await built('infra/database/embedded/ensure-database.js');
  const { removeDataDir } = await built('infra/database/embedded/staging.js');
  const { runMigrations } = await built('infra/database/migrate.js');
  const dataDir = await mkdtemp(join(tmpdir(), 'ies-bench-'));
  let starting;
  const start = () => (starting = startEmbeddedPostgres({ dataDir, log: LOG, durable }));
  const close = cleanupOnce(async () => {
    const [{ value: postgres }] = await Promise.allSettled([starting]);
    await postgres?.stop('fast');
    await removeDataDir(dataDir);
  });
  try {
    // If this process is root, PostgreSQL runs as a different user.
    await chmod(dataDir, 0o755);
    let postgres = await start();
    if (preload !== undefined) {
      await preloadNext(postgres.databaseUrl, preload);
      await postgres.stop('fast');
      postgres = await start();
    }
    const { databaseUrl } = postgres;
    await ensureDatabase(databaseUrl);
    await runMigrations(databaseUrl);
    return { databaseUrl, dataDir, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Makes the server load the library at its next start. */
async function preloadNext(databaseUrl, library) {
  const { withClient } = await built('infra/database/with-client.js');
  await withClient({ connectionString: databaseUrl.replace(/[^/]+$/, 'postgres') }, (client) =>
    client.query(`ALTER SYSTEM SET shared_preload_libraries = '${library}'`),
  );
}
