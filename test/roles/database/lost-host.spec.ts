import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withDatabase } from '../../../src/app/role/database-session.js';
import { STATEMENT_TIMEOUT_MS, TRANSACTION_IDLE_MS } from '../../../src/infra/database/data-source.js';
import { Database } from '../../../src/infra/database/database.js';
import { FlowDatabase } from '../../support/database/flow-database.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres.js';
import { CuttableProxy } from '../../support/network/cuttable-proxy.js';
import { eventually } from '../../support/roles/flow-wait.js';
import { isDatabaseUnavailable } from '../../../src/infra/database/database-errors.js';

const COUNT = 'UPDATE counters SET used = used + 1';

describe('a transaction that runs no statement', () => {
  let created: TestDatabase;
  let others: FlowDatabase;
  beforeEach(async () => {
    created = await createTestDatabase();
    others = new FlowDatabase(created.databaseUrl);
    await others.rows('CREATE TABLE counters AS SELECT 0 AS used');
  });
  afterEach(async () => {
    await others.close();
    await created.drop();
  });

  it('loses its row locks after a while, although its host vanished without closing the connection', async () => {
    const proxy = await CuttableProxy.start(created.databaseUrl);
    const lost = withDatabase(proxy.urlOf(created.databaseUrl), (dataSource) =>
      new Database(dataSource).transaction(
        async (tx) => {
          await tx.query(COUNT);
          proxy.stall();
          await withDatabase(created.databaseUrl, (other) => new Database(other).query(COUNT));
          await proxy.cut();
          throw new Error('lost');
        },
        { idleMs: 2_000 },
      ),
    );
    await expect(lost).rejects.toThrow('lost');
    expect(await others.rows('SELECT used FROM counters')).toEqual([{ used: 1 }]);
  });

  it('is rolled back, and its next statement reports that the database is unavailable', async () => {
    const idle = withDatabase(created.databaseUrl, (dataSource) =>
      new Database(dataSource).transaction(
        async (tx) => {
          await tx.query(COUNT);
          const [own] = await tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
          await eventually('its connection to end', async () => {
            const seen = await others.rows('SELECT state FROM pg_stat_activity WHERE pid = $1', [own!.pid]);
            return seen.length === 0 ? { found: true } : { seen };
          });
          await tx.query('SELECT 1');
        },
        { idleMs: 100 },
      ),
    );
    await expect(idle).rejects.toSatisfy(isDatabaseUnavailable);
    expect(await others.rows('SELECT used FROM counters')).toEqual([{ used: 0 }]);
  });

  it('ends before the statements that wait for its locks are canceled', async () => {
    expect(TRANSACTION_IDLE_MS).toBeLessThan(STATEMENT_TIMEOUT_MS);
    const limit = 'SHOW idle_in_transaction_session_timeout';
    await withDatabase(created.databaseUrl, async (dataSource) => {
      const database = new Database(dataSource);
      const shown = (idle: string): unknown => [{ idle_in_transaction_session_timeout: idle }];
      expect(await database.transaction((tx) => tx.query(limit))).toEqual(
        shown(`${TRANSACTION_IDLE_MS / 1_000}s`),
      );
      expect(await database.transaction((tx) => tx.query(limit), { idleMs: 0 })).toEqual(shown('0'));
      expect(await database.query(limit)).toEqual(shown('0'));
    });
  });
});
