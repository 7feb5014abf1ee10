import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withDatabase } from '../../../src/app/role/database-session.js';
import { Database } from '../../../src/infra/database/database.js';
import { FlowDatabase } from '../../support/database/flow-database.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres.js';

describe('a command whose connection breaks in a transaction', () => {
  let created: TestDatabase;
  let others: FlowDatabase;
  const uncaught: Error[] = [];
  const record = (error: Error): void => void uncaught.push(error);
  beforeEach(async () => {
    created = await createTestDatabase();
    others = new FlowDatabase(created.databaseUrl);
    process.on('uncaughtExceptionMonitor', record);
  });
  afterEach(async () => {
    process.off('uncaughtExceptionMonitor', record);
    await others.close();
    await created.drop();
  });

  it('gets the error from its next statement', async () => {
    const command = withDatabase(created.databaseUrl, (dataSource) =>
      new Database(dataSource).transaction(async (tx) => {
        const [own] = await tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
        await others.rows('SELECT pg_terminate_backend($1, 10000)', [own!.pid]);
        // The connection reports its end before this statement.
        await others.rows('SELECT 1');
        await tx.query('SELECT 1');
      }),
    );
    await expect(command).rejects.toThrow(/terminat|not queryable|connection error/i);
    expect(uncaught).toEqual([]);
  });
});
