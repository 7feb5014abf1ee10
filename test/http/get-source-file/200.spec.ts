import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IMAGE_CONTENT_TYPES, IMAGE_FORMATS } from '../../../src/kernel/operations.js';
import { type Harness, PUBLIC_URL, startHarness, type TestAccount } from '../../support/app/harness.js';
import { photo } from '../../support/images/images.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await startHarness({ env: { FILE_URL_TTL_SECONDS: '1' } });
  account = await harness.createAccount();
});
afterAll(() => harness.close());

describe('GET /files/src_… → 200', () => {
  it.each(IMAGE_FORMATS)('serves the bytes of a %s for the signed URL', async (format) => {
    const long = await harness.another({ env: {} });
    try {
      const bytes = await photo(20, 20, format);
      const uploaded = await long.upload(account.key, bytes);
      const { url, sha256 } = uploaded.body as { url: string; sha256: string };
      const { status, body, headers } = await long.call('GET', url.replace(PUBLIC_URL, ''));
      expect(status).toBe(200);
      expect(Buffer.compare(body as Buffer, bytes)).toBe(0);
      expect(headers['content-type']).toBe(IMAGE_CONTENT_TYPES[format]);
      expect(headers['content-length']).toBe(String(bytes.length));
      expect(headers['etag']).toContain(sha256);
      expect(headers['x-content-type-options']).toBe('nosniff');
    } finally {
      await long.close();
    }
  });

  it.each([['image:read'], ['ai:enhance']] as const)(
    'serves the file forever to keys of the account with %s',
    async (scope) => {
      const source = await harness.newSource(account);
      const { key } = await harness.createKey(account, { scopes: [scope] });
      const [bare] = source.url.replace(PUBLIC_URL, '').split('?');
      for (const path of [bare!, `${bare}?exp=1&sig=nonsense`]) {
        expect((await harness.call('GET', path, { key })).status).toBe(200);
      }
    },
  );

  it('answers HEAD without a body', async () => {
    const source = await harness.newSource(account);
    const [bare] = source.url.replace(PUBLIC_URL, '').split('?');
    const { status, headers, text } = await harness.call('HEAD', bare!, { key: account.key });
    expect([status, text ?? '']).toEqual([200, '']);
    expect(headers['content-length']).toBe(String(source.bytes));
  });

  it('serves many readers at the same time', async () => {
    const source = await harness.newSource(account, await photo(200, 200, 'png'));
    const [bare] = source.url.replace(PUBLIC_URL, '').split('?');
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => harness.call('GET', bare!, { key: account.key })),
    );
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect((body as Buffer).length).toBe(source.bytes);
    }
  });
});
