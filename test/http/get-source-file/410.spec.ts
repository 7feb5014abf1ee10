import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FileUrls } from '../../../src/uploads/files/file-urls.js';
import { type Harness, PUBLIC_URL, type TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());

describe('GET /files/src_… → 410', () => {
  it('once the signed URL has expired; a key of the account can still read the file', async () => {
    const source = await harness.newSource(account);
    const dayAgoMs = Date.now() - 86_401_000;
    const url = harness.app.get(FileUrls).sign(source.id, 'jpeg', dayAgoMs);
    const path = url.replace(PUBLIC_URL, '');
    const { status, body, headers } = await harness.call('GET', path);
    expect([status, (body as { code: string }).code]).toEqual([410, 'gone']);
    expect(headers).not.toHaveProperty('etag');
    expect((await harness.call('GET', path, { key: account.key })).status).toBe(200);
    const almost = harness.app.get(FileUrls).sign(source.id, 'jpeg', Date.now() - 86_000_000);
    expect((await harness.call('GET', almost.replace(PUBLIC_URL, ''))).status).toBe(200);
  });

  it('once the source is deleted, even to its account', async () => {
    const source = await harness.newSource(account);
    const path = source.url.replace(PUBLIC_URL, '');
    await harness.call('DELETE', `/api/ai/sources/${source.id}`, { key: account.key });
    for (const options of [{}, { key: account.key }]) {
      const { status, headers } = await harness.call('GET', path, options);
      expect(status).toBe(410);
      expect(headers['cache-control'] ?? '').not.toMatch(/max-age=[1-9]/);
    }
    expect((await harness.call('GET', path.split('?')[0]!)).status).toBe(404);
  });
});
