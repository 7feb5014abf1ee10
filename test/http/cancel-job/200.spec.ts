import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { unsigned } from '../../support/app/unsigned.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
  await harness.listen(account);
});
afterAll(() => harness.close());

const cancel = (id: string) => harness.call('POST', `/api/ai/enhance/${id}/cancel`, { key: account.key });
const CANCELED = { status: 'failed', error: { code: 'canceled', retryable: false } };

describe('POST /api/ai/enhance/:id/cancel → 200', () => {
  it('marks a queued job as failed with code canceled, and refunds its enhancement', async () => {
    const { id } = await harness.newJob(account);
    const before = await harness.footprint();
    const { status, body } = await cancel(id);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id, ...CANCELED });
    expect(body).not.toHaveProperty('resultUrl');
    expect(await harness.footprint()).toEqual({
      ...before,
      enhancementsUsed: before.enhancementsUsed - 1,
      ledger: before.ledger + 1,
      events: before.events + 1,
    });
    expect((await harness.eventTypes(account)).at(-1)).toBe('enhancement.failed');
    const read = await harness.call('GET', `/api/ai/enhance/${id}`, { key: account.key });
    expect(unsigned(read.body)).toEqual(unsigned(body));
  });

  it('cancels a running job, so that its worker can no longer complete it', async () => {
    const { id } = await harness.newJob(account);
    const lease = await harness.jobs.claim(id);
    expect((await cancel(id)).body).toMatchObject(CANCELED);
    expect(await harness.jobs.completeLease(lease, Buffer.from('late'))).toBe(false);
    const { body } = await harness.call('GET', `/api/ai/enhance/${id}`, { key: account.key });
    expect(body).toMatchObject(CANCELED);
  });

  it('cancels exactly once when ten requests arrive at the same time', async () => {
    const { id } = await harness.newJob(account);
    const before = await harness.footprint();
    const statuses = (await Promise.all(Array.from({ length: 10 }, () => cancel(id)))).map(
      ({ status }) => status,
    );
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, ...Array<number>(9).fill(409)]);
    const after = await harness.footprint();
    expect(after.enhancementsUsed).toBe(before.enhancementsUsed - 1);
    expect(after.events).toBe(before.events + 1);
  });
});
