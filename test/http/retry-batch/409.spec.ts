import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());

const retry = (id: string, json: object = {}) =>
  harness.call('POST', `/api/ai/batches/${id}/retry`, { key: account.key, json });

describe('POST /api/ai/batches/:id/retry → 409', () => {
  it('when nothing has failed', async () => {
    const { id } = await harness.newBatch(account);
    expect(await retry(id)).toMatchObject({ status: 409, body: { code: 'nothing_to_retry' } });
    await harness.call('POST', `/api/ai/batches/${id}/cancel`, { key: account.key });
    expect((await retry(id)).status).toBe(409);
  });

  it('when an operator has run the failed items again outside of the batch', async () => {
    const { id } = await harness.newBatch(account);
    await harness.rows(
      `UPDATE jobs SET status = 'failed', error_code = 'processing_failed', error_message = 'x', completed_at = now()
        WHERE batch_id = $1`,
      [id],
    );
    await harness.rows(
      `INSERT INTO job_reruns (job_id, new_job_id) SELECT id, 'job_new' FROM jobs WHERE batch_id = $1`,
      [id],
    );
    expect(await retry(id)).toMatchObject({ status: 409, body: { code: 'nothing_to_retry' } });
  });
});
