import { tmpdir } from 'node:os';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readConnectionRecord } from '../infra/database/embedded/connection-record.js';
import { isAlive } from '../infra/processes/process-stamp.mjs';
import { removeDataDir } from '../infra/database/embedded/staging.js';
import { makeTemporaryDataDir } from '../infra/database/embedded/temporary-data-dir.js';
import { withClient } from '../infra/database/with-client.js';
import { SupervisedPostgres } from './supervised-postgres.js';

describe('SupervisedPostgres', () => {
  let dataDir: string;
  let kept: SupervisedPostgres;
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

  const answer = async () => {
    const connectionString = kept.databaseUrl.replace(/[^/]+$/, 'postgres');
    const { rows } = await withClient({ connectionString }, (client) =>
      client.query<{ n: number }>('SELECT 1 AS n'),
    );
    return rows[0]?.n;
  };

  beforeEach(async () => {
    dataDir = await makeTemporaryDataDir('ies-kept-', tmpdir(), log);
  });
  afterEach(async () => {
    await kept.stop('immediate');
    await removeDataDir(dataDir);
  });

  it('restarts a killed server at the same address', async () => {
    let moves = 0;
    kept = await SupervisedPostgres.start(dataDir, log, () => (moves += 1));
    const { databaseUrl } = kept;
    const { pid } = readConnectionRecord(dataDir)!;
    process.kill(pid!, 'SIGKILL');
    await vi.waitFor(() => expect(readConnectionRecord(dataDir)?.pid).not.toBe(pid), { timeout: 20_000 });
    await vi.waitFor(async () => expect(await answer()).toBe(1), { timeout: 20_000 });
    expect(kept.databaseUrl).toBe(databaseUrl);
    expect(moves).toBe(0);
  });

  it('stays stopped when told to, even during a restart', async () => {
    kept = await SupervisedPostgres.start(dataDir, log, () => undefined);
    const { pid } = readConnectionRecord(dataDir)!;
    process.kill(pid!, 'SIGKILL');
    await vi.waitFor(() => expect(isAlive(pid!)).toBe(false), { timeout: 20_000 });
    await kept.stop('fast');
    await expect(answer()).rejects.toThrow(/ECONNREFUSED/);
  });
});
