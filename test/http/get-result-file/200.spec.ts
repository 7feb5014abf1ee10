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

describe('GET /files/job_… → 200', () => {
  it('serves the bytes for the signed URL, and to API keys of the account', async () => {
    const bytes = Buffer.from('these are the pixels');
    const { resultUrl, result } = await newResult(harness, account, bytes);
    const path = resultUrl.replace(PUBLIC_URL, '');
    for (const [address, options] of [
      [path, {}],
      [path.split('?')[0]!, { key: account.key }],
    ] as const) {
      const { status, body, headers } = await harness.call('GET', address, options);
      expect(status).toBe(200);
      expect(Buffer.compare(body as Buffer, bytes)).toBe(0);
      expect(headers['content-type']).toBe('image/png');
      expect(headers['etag']).toContain(result.sha256);
    }
  });
});
