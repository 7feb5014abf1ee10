import { describe, expect, it } from 'vitest';
import { withClient } from '../../../src/infra/database/with-client.js';
import { createTestDatabase } from './postgres.js';

async function rows(databaseUrl: string, text: string): Promise<unknown[]> {
  return (await withClient({ connectionString: databaseUrl }, (client) => client.query(text))).rows;
}

describe('createTestDatabase', () => {
  it('gives each caller a separate, migrated database', async () => {
    const [one, two] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    try {
      await rows(one.databaseUrl, 'CREATE TABLE mine (n int)');
      expect(await rows(one.databaseUrl, 'SELECT name FROM schema_migrations')).not.toEqual([]);
      expect(await rows(one.databaseUrl, "SELECT to_regclass('mine')::text AS name")).toEqual([
        { name: 'mine' },
      ]);
      expect(await rows(two.databaseUrl, "SELECT to_regclass('mine')::text AS name")).toEqual([
        { name: null },
      ]);
    } finally {
      await Promise.all([one.drop(), two.drop()]);
    }
    await expect(rows(one.databaseUrl, 'SELECT 1')).rejects.toThrow(/does not exist/);
  });
});
