import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databaseUrlFor } from './database-url.js';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.js';
import { ensureDatabase } from './ensure-database.js';
import { isRoot } from './server-identity.js';
import { removeDataDir } from './staging.js';
import { makeTemporaryDataDir } from './temporary-data-dir.js';
import { withClient } from '../with-client.js';

async function query<T>(databaseUrl: string, text: string): Promise<T[]> {
  const { rows } = await withClient({ connectionString: databaseUrl }, (client) => client.query(text));
  return rows as T[];
}

describe('startEmbeddedPostgres', () => {
  let dataDir: string;
  let running: EmbeddedPostgres | undefined;
  let warnings: string[];
  const log = { info: () => undefined, warn: (text: string) => warnings.push(text), error: () => undefined };
  const beside = () => databaseUrlFor({ databaseUrl: undefined, dataDir });
  const clusterDir = () => realpathSync(join(dataDir, 'postgres'));
  const start = async () => {
    running = await startEmbeddedPostgres({ dataDir, log, durable: false });
    return running;
  };
  const crash = async (postgres: EmbeddedPostgres) => {
    const exited = new Promise<void>((resolve) => postgres.onExit(resolve));
    process.kill(postgres.pid, 'SIGKILL');
    await exited;
  };

  beforeEach(async () => {
    warnings = [];
    dataDir = await makeTemporaryDataDir('ies-embedded-', tmpdir(), log);
  });
  afterEach(async () => {
    await running?.stop('immediate');
    await removeDataDir(dataDir);
  });

  it('creates a UTF-8 cluster that keeps its data and its address across restarts', async () => {
    const first = await start();
    await ensureDatabase(first.databaseUrl);
    await ensureDatabase(first.databaseUrl);
    await query(first.databaseUrl, "CREATE TABLE t AS SELECT lower('ÄÉ') AS text");
    expect(await beside()).toBe(first.databaseUrl);
    await first.stop('fast');
    expect(await beside()).toBeUndefined();

    const second = await start();
    expect(second.databaseUrl).toBe(first.databaseUrl);
    expect(await query(second.databaseUrl, 'SELECT text FROM t')).toEqual([{ text: 'äé' }]);
    expect(await query(second.databaseUrl, 'SHOW server_encoding')).toEqual([{ server_encoding: 'UTF8' }]);
    expect(await query(second.databaseUrl, 'SHOW listen_addresses')).toEqual([
      { listen_addresses: '127.0.0.1' },
    ]);
  });

  it('refuses a wrong password', async () => {
    const url = new URL((await start()).databaseUrl);
    url.password = 'wrong';
    url.pathname = '/postgres';
    await expect(query(url.href, 'SELECT 1')).rejects.toThrow(/password authentication failed/);
  });

  it('starts after a crash, and keeps committed data', async () => {
    const first = await start();
    await ensureDatabase(first.databaseUrl);
    await query(first.databaseUrl, 'CREATE TABLE t AS SELECT 7 AS n');
    await crash(first);
    expect(await beside()).toBeUndefined();
    const second = await start();
    expect(await query(second.databaseUrl, 'SELECT n FROM t')).toEqual([{ n: 7 }]);
  });

  it('is not blocked by a stale lock file whose pid now belongs to another process', async () => {
    const first = await start();
    await crash(first);
    const path = join(clusterDir(), 'postmaster.pid');
    const lines = readFileSync(path, 'utf8').split('\n');
    writeFileSync(path, [process.pid, ...lines.slice(1)].join('\n'));
    const second = await start();
    expect(await query(second.databaseUrl.replace(/ies$/, 'postgres'), 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
  });

  it('stops a server that another supervisor left behind', async () => {
    const first = await start();
    const exited = new Promise<void>((resolve) => first.onExit(resolve));
    const second = await start();
    await exited;
    expect(second.pid).not.toBe(first.pid);
    expect(warnings.join()).toContain(`pid ${first.pid}`);
  });

  it('uses another port when its own is taken', async () => {
    const first = await start();
    await first.stop('fast');
    const port = Number(new URL(first.databaseUrl).port);
    const squatter = await new Promise<Server>((resolve) => {
      const server = createServer().listen(port, '127.0.0.1', () => resolve(server));
    });
    try {
      const second = await start();
      expect(new URL(second.databaseUrl).port).not.toBe(String(port));
      expect(await beside()).toBe(second.databaseUrl);
    } finally {
      squatter.close();
    }
  });

  it('removes what a killed initdb left, and starts over', async () => {
    const workspace = join(dataDir, '.postgres-init-killed');
    await mkdir(join(workspace, 'data', 'base'), { recursive: true });
    writeFileSync(join(workspace, 'data', 'PG_VERSION'), '18');
    await start();
    expect(existsSync(workspace)).toBe(false);
  });

  it('refuses a cluster of another version with a clear message', async () => {
    await (await start()).stop('fast');
    writeFileSync(join(clusterDir(), 'PG_VERSION'), '12\n');
    await expect(start()).rejects.toThrow(/made by PostgreSQL 12/);
    running = undefined;
  });

  // Only root can act as another user; otherwise the cluster stays in DATA_DIR.
  if (isRoot())
    it('as root, puts the cluster of a private folder elsewhere', async () => {
      await chmod(dataDir, 0o700);
      const first = await start();
      expect(clusterDir()).toMatch(/^\/var\/lib\/image-enhancement-service\/clusters\//);
      await first.stop('fast');
      await removeDataDir(dataDir);
      expect(() => clusterDir()).toThrow(/ENOENT/);
    });
});
