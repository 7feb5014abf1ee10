import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterAll(() => harness.close());

describe('DELETE /api/ai/sources/:id → 410', () => {
  it('when the source is deleted a second time', async () => {
    const account = await harness.createAccount();
    const { id } = await harness.newSource(account);
    const remove = () => harness.call('DELETE', `/api/ai/sources/${id}`, { key: account.key });
    expect((await remove()).status).toBe(204);
    const before = await harness.footprint();
    const { status, body } = await remove();
    expect([status, (body as { code: string }).code]).toEqual([410, 'gone']);
    expect(await harness.footprint()).toEqual(before);
  });
});
