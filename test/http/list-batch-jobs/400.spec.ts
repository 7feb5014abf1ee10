import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let account: TestAccount;
let id: string;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
  ({ id } = await harness.newBatch(account));
});
afterAll(() => harness.close());

describe('GET /api/ai/batches/:id/jobs → 400', () => {
  it.each([
    'limit=0',
    'limit=101',
    'status=done',
    'cursor=x',
    `cursor=${btoa('item x')}`,
    'operation=upscale',
  ])('refuses %s', async (query) => {
    const { status } = await harness.call('GET', `/api/ai/batches/${id}/jobs?${query}`, {
      key: account.key,
    });
    expect(status).toBe(400);
  });

  it.each(['batchId=x', 'batchId=job_0193f2c4a1b27c3d8e4f5a6b7c8d9e0f', 'batchId='])(
    'refuses %s in the list of all jobs',
    async (query) => {
      const { status, body } = await harness.call('GET', `/api/ai/enhance?${query}`, { key: account.key });
      expect(status).toBe(400);
      expect(body).toMatchObject({ errors: [{ field: 'batchId' }] });
    },
  );
});
