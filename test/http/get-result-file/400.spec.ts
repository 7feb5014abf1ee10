import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, PUBLIC_URL } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { newResult } from '../../support/app/results.js';

let harness: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterAll(() => harness.close());

describe('GET /files/job_… → 400', () => {
  it('when exp is given twice', async () => {
    const { resultUrl } = await newResult(harness, await harness.createAccount());
    const { status, body } = await harness.call('GET', `${resultUrl.replace(PUBLIC_URL, '')}&exp=1`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'invalid_request', errors: [{ field: 'exp' }] });
  });
});
