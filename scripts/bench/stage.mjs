import { fork } from 'node:child_process';
import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { DIST, ROOT } from '../lib/paths.mjs';
import { WATCHED } from './worker/worker-watch.mjs';

const built = (path) => import(pathToFileURL(join(DIST, path)).href);

/** Longer than the shutdown of any role takes. */
const END_MS = 60_000;

/**
 * Starts a database and an api process, and creates an account. `close` removes everything.
 * @param {{ api?: Record<string, string>, preload?: string }} [options] `api`: additional variables of the api;
 *   `preload`: a library that PostgreSQL loads when it starts
 */
export async function openStage(options = {}) {
  const { startEmbeddedPostgres } = await built('infra/database/embedded/embedded-postgres.js');
  const { ensureDatabase } = await built('infra/database/embedded/ensure-database.js');
  const { removeDataDir } = await built('infra/database/embedded/staging.js');
  const { runMigrations } = await built('infra/database/migrate.js');
  const { freePort } = await built('infra/database/embedded/free-port.js');
  const dataDir = await mkdtemp(join(tmpdir(), 'ies-bench-'));
  await chmod(dataDir, 0o755);
  const log = { info: () => undefined, warn: console.error, error: console.error };
  let postgres = await startEmbeddedPostgres({ dataDir, log });
  if (options.preload !== undefined) {
    await preloadNext(postgres.databaseUrl, options.preload);
    await postgres.stop('fast');
    postgres = await startEmbeddedPostgres({ dataDir, log });
  }
  const { databaseUrl } = postgres;
  const children = [];
  const close = async () => {
    await Promise.all(children.map((child) => ended(child)));
    await postgres.stop('fast');
    await removeDataDir(dataDir);
  };
  try {
    await ensureDatabase(databaseUrl);
    await runMigrations(databaseUrl);
    const start = async (script, env) => {
      const child = fork(script, {
        env: { ...process.env, DATABASE_URL: databaseUrl, DATA_DIR: dataDir, ...env },
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      });
      children.push(child);
      const { port } = await ready(child);
      return { child, port };
    };
    const port = await freePort();
    const { child } = await start(join(DIST, 'main.api.js'), {
      PORT: String(port),
      PUBLIC_URL: 'http://bench.example',
      LOG_LEVEL: 'error',
      MODELS_DIR: join(ROOT, 'models'),
      ...options.api,
    });
    const api = { child, port };
    // Starts the worker like `npm start`, with a probe for its event loop.
    const startWorker = async (env) => {
      const { workerEnvironment } = await built('config/child-environment.js');
      const own = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir };
      return start(join(DIST, 'main.worker.js'), workerEnvironment({ ...own, ...WATCHED, ...env }));
    };
    return {
      databaseUrl,
      dataDir,
      api,
      start,
      startWorker,
      close,
      account: await createAccount(databaseUrl),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Makes the server load the library at its next start. */
async function preloadNext(databaseUrl, library) {
  const client = new pg.Client({ connectionString: databaseUrl.replace(/[^/]+$/, 'postgres') });
  await client.connect();
  try {
    await client.query(`ALTER SYSTEM SET shared_preload_libraries = '${library}'`);
  } finally {
    await client.end();
  }
}

async function createAccount(databaseUrl) {
  const { withDatabase } = await built('app/role/database-session.js');
  const { AccountsService } = await built('accounts/accounts.service.js');
  return withDatabase(databaseUrl, async (dataSource) => {
    const limits = { rpm: 1e9, enhancements: 2e9 };
    const { account, key } = await new AccountsService(dataSource).create(
      'bench@example.com',
      'enterprise',
      limits,
    );
    return { id: account.id, key: key.key };
  });
}

function ready(child) {
  return new Promise((resolve, reject) => {
    child.on('message', (message) => message.type === 'ready' && resolve(message));
    child.once('exit', (code) => reject(new Error(`a process of the benchmark ended with ${code}`)));
  });
}

/** Ends a process that may have been ended by a signal, or whose event loop may be blocked. */
function ended(child) {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), END_MS);
    child.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    child.kill('SIGTERM');
  });
}
