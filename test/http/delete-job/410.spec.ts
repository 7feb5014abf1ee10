import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterAll(() => harness.close());

describe('DELETE /api/ai/enhance/:id → 410', () => {
  it('when the job is deleted a second time', async () => {
    const account = await harness.createAccount();
    const { id } = await harness.newJob(account);
    const remove = () => harness.call('DELETE', `/api/ai/enhance/${id}`, { key: account.key });
    expect((await remove()).status).toBe(204);
    const before = await harness.footprint();
    const { status, body } = await remove();
    expect([status, (body as { code: string }).code]).toEqual([410, 'gone']);
    expect(await harness.footprint()).toEqual(before);
  });
});
