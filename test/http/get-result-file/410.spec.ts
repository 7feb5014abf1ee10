import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, PUBLIC_URL, type TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { newResult } from '../../support/app/results.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());

/** The statuses for the signed URL and for a key of the account. */
async function read(path: string): Promise<number[]> {
  const answers = [await harness.call('GET', path), await harness.call('GET', path, { key: account.key })];
  return answers.map(({ status }) => status);
}

describe('GET /files/job_… → 410', () => {
  it('once the job is deleted', async () => {
    const { id, resultUrl } = await newResult(harness, account);
    await harness.call('DELETE', `/api/ai/enhance/${id}`, { key: account.key });
    expect(await read(resultUrl.replace(PUBLIC_URL, ''))).toEqual([410, 410]);
  });

  it('once the retention period is over, even before the sweep', async () => {
    const { resultUrl } = await newResult(harness, account, Buffer.from('short'), -1);
    expect(await read(resultUrl.replace(PUBLIC_URL, ''))).toEqual([410, 410]);
  });
});
