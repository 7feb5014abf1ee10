import { fork } from 'node:child_process';
import { join } from 'node:path';
import { built } from '../lib/built.mjs';
import { cleanupOnce } from '../lib/cleanup.mjs';
import { DIST, ROOT } from '../lib/paths.mjs';
import { openDatabase } from './stage/database.mjs';
import { WATCHED } from './worker/worker-watch.mjs';

/** Longer than the shutdown of any role takes. */
const END_MS = 60_000;

/**
 * Starts a database and an api process, and creates an account. `close` removes everything, and so does a signal that
 * ends this process.
 * @param {{ api?: Record<string, string>, preload?: string }} [options] `api`: additional variables of the api;
 *   `preload`: a library that PostgreSQL loads when it starts
 */
export async function openStage({ api: variables, preload } = {}) {
  const { freePort } = await built('infra/database/embedded/free-port.js');
  const database = await openDatabase({ preload });
  const { databaseUrl, dataDir } = database;
  const children = [];
  const close = cleanupOnce(async () => {
    await Promise.all(children.map((child) => ended(child)));
    await database.close();
  });
  try {
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
      ...variables,
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
