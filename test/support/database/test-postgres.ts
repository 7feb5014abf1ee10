import { rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Queue } from 'bullmq';
import { readConfig } from '../../../src/config/env.js';
import { startEmbeddedPostgres } from '../../../src/infra/database/embedded/embedded-postgres.js';
import { ensureDatabase } from '../../../src/infra/database/embedded/ensure-database.js';
import { removeDataDir } from '../../../src/infra/database/embedded/staging.js';
import { makeTemporaryDataDir } from '../../../src/infra/database/embedded/temporary-data-dir.js';
import { runMigrations } from '../../../src/infra/database/migrate.js';
import { ENHANCE_QUEUE } from '../../../src/infra/queue/enhance-queue.js';
import { queueOptions } from '../../../src/infra/queue/queue.module.js';

/** The server that all specs of one run share, and the migrated template database. */
export interface TestPostgres {
  readonly templateUrl: string;
  /** A folder for whatever lasts as long as the run. */
  readonly runDir: string;
  stop(): Promise<void>;
}

const log = {
  info: () => undefined,
  warn: (text: string) => console.warn(text),
  error: (text: string) => console.error(text),
};

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Starts it in a temporary folder, after removing what killed runs left behind. */
export async function startTestPostgres(): Promise<TestPostgres> {
  const dataDir = await makeTemporaryDataDir('ies-test-', tmpdir(), log);
  const postgres = await startEmbeddedPostgres({ dataDir, log, durable: false });
  const forget = removeAtSignal(postgres.pid, dataDir);
  const templateUrl = postgres.databaseUrl.replace(/[^/]+$/, 'ies_template');
  await ensureDatabase(templateUrl);
  await runMigrations(templateUrl);
  await createQueueTables(templateUrl);
  const runDir = join(dataDir, 'run');
  await mkdir(runDir);
  return {
    templateUrl,
    runDir,
    stop: async () => {
      forget();
      await postgres.stop('immediate');
      await removeDataDir(dataDir);
    },
  };
}

/** Creates the queue's tables, as the first role would. Copying them is cheaper than creating them in every database. */
async function createQueueTables(databaseUrl: string): Promise<void> {
  const queue = new Queue(ENHANCE_QUEUE, queueOptions(readConfig({ DATABASE_URL: databaseUrl })));
  await queue.waitUntilReady();
  await queue.close();
}

/** Vitest does not tear down on Ctrl-C, so the server and its folder are removed here synchronously. */
function removeAtSignal(pid: number, dataDir: string): () => void {
  const onSignal = (signal: NodeJS.Signals) => {
    forget();
    process.kill(pid, 'SIGKILL');
    // Its backends may still write for a moment.
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 20 });
    process.kill(process.pid, signal);
  };
  const forget = () => {
    for (const name of SIGNALS) process.off(name, onSignal);
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  return forget;
}
