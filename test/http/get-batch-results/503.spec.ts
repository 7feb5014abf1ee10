import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../../src/infra/database/database.js';
import { endedBatch, readArchive } from '../../support/app/batch-archive.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await startHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());

describe('GET /api/ai/batches/:id/results.zip → 503', () => {
  it('when too many archives are requested at once, which do not keep others from the database', async () => {
    const { id } = await endedBatch(harness, account);
    const other = await harness.createAccount();
    const statuses: number[] = [];
    const read = async (): Promise<void> => {
      const { status, headers } = await readArchive(harness, account, id, { range: 'bytes=0-0' });
      if (status === 503) expect(headers.get('retry-after')).toBe('5');
      statuses.push(status);
    };
    let archives: Promise<unknown> | undefined;
    await harness.app.get(Database).transaction(async (tx) => {
      // No batch can be read until the end of this transaction.
      await tx.query('LOCK TABLE batches IN ACCESS EXCLUSIVE MODE');
      archives = Promise.all(Array.from({ length: 40 }, read));
      await expect.poll(() => statuses.length, { timeout: 60_000 }).toBe(10);
      expect((await harness.call('GET', '/api/usage', { key: other.key })).status).toBe(200);
    });
    await archives;
    expect(statuses.filter((status) => status === 503)).toHaveLength(10);
    expect(statuses.filter((status) => status === 206)).toHaveLength(30);
  });
});
