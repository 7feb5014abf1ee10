import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, PUBLIC_URL, startHarness, type TestAccount } from '../../support/harness.js';
import { newResult } from '../../support/results.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await startHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());

async function gone(path: string): Promise<void> {
  for (const options of [{}, { key: account.key }]) {
    const { status, body } = await harness.call('GET', path, options);
    expect([status, (body as { code: string }).code]).toEqual([410, 'gone']);
  }
}

describe('GET /files/job_… → 410', () => {
  it('once the job is deleted', async () => {
    const { id, resultUrl } = await newResult(harness, account);
    await harness.call('DELETE', `/api/ai/enhance/${id}`, { key: account.key });
    await gone(resultUrl.replace(PUBLIC_URL, ''));
  });

  it('once its retention is over, whether or not it was swept', async () => {
    const { resultUrl } = await newResult(harness, account, Buffer.from('short'), -1);
    await gone(resultUrl.replace(PUBLIC_URL, ''));
  });
});
