import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness } from '../../support/app/harness.js';
import type { SourceAnswer } from '../../support/app/answers.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterAll(() => harness.close());

describe('GET /api/ai/sources/:id → 200', () => {
  it('returns what the upload returned, with a newly signed URL', async () => {
    const account = await harness.createAccount();
    const source = await harness.newSource(account);
    const { status, body } = await harness.call('GET', `/api/ai/sources/${source.id}`, { key: account.key });
    expect(status).toBe(200);
    const { url, ...rest } = body as SourceAnswer;
    const { url: first, ...uploaded } = source;
    expect(rest).toEqual(uploaded);
    expect(url.split('?')[0]).toBe(first.split('?')[0]);
  });
});
