import { rmSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../src/infra/database/embedded/embedded-postgres.js';
import { ensureDatabase } from '../../src/infra/database/embedded/ensure-database.js';
import { stopLeftovers } from '../../src/infra/database/embedded/leftovers.js';
import { processStamp } from '../../src/infra/database/embedded/process-stamp.js';
import { removeDataDir } from '../../src/infra/database/embedded/staging.js';
import { runMigrations } from '../../src/infra/database/migrate.js';

/** The server that all specs of one run share, and the migrated database that each of theirs is copied from. */
export interface TestPostgres {
  readonly templateUrl: string;
  stop(): Promise<void>;
}

const PREFIX = 'ies-test-';
const log = {
  info: () => undefined,
  warn: (text: string) => console.warn(text),
  error: (text: string) => console.error(text),
};

/** Starts it in a temporary folder, having removed what killed runs left behind. */
export async function startTestPostgres(): Promise<TestPostgres> {
  await removeStale();
  const dataDir = await mkdtemp(join(tmpdir(), PREFIX));
  // PostgreSQL's own user has to pass when the tests run as root.
  await chmod(dataDir, 0o755);
  const owner = { pid: process.pid, stamp: processStamp(process.pid) };
  await writeFile(join(dataDir, 'owner.json'), JSON.stringify(owner));
  const postgres = await startEmbeddedPostgres({ dataDir, log, durable: false });
  // Ctrl-C ends the run without a teardown; the server's watchdog then stops it.
  const onExit = () => rmSync(dataDir, { recursive: true, force: true });
  process.once('exit', onExit);
  const templateUrl = postgres.databaseUrl.replace(/[^/]+$/, 'ies_template');
  await ensureDatabase(templateUrl);
  await runMigrations(templateUrl);
  return {
    templateUrl,
    stop: async () => {
      process.off('exit', onExit);
      await postgres.stop('immediate');
      await removeDataDir(dataDir);
    },
  };
}

async function removeStale(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue;
    const dataDir = join(tmpdir(), name);
    if (await isInUse(dataDir)) continue;
    const clusterDir = await realpath(join(dataDir, 'postgres')).catch(() => undefined);
    if (clusterDir !== undefined) await stopLeftovers(clusterDir, log);
    await removeDataDir(dataDir);
  }
}

async function isInUse(dataDir: string): Promise<boolean> {
  try {
    const owner = JSON.parse(await readFile(join(dataDir, 'owner.json'), 'utf8')) as {
      pid: number;
      stamp?: string;
    };
    return processStamp(owner.pid) === owner.stamp;
  } catch {
    // Being made at this moment, or another user's: not ours to delete.
    return true;
  }
}
