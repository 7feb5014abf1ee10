import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../../support/app/api-client.js';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { multipart, MULTIPART_TYPE } from '../../support/app/multipart.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { photo } from '../../support/images/images.js';

let harness: Harness;
let account: TestAccount;
let bytes: Buffer;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
  bytes = await photo(48, 32, 'jpeg');
});
afterAll(() => harness.close());

const create = (metadata: ReadonlyMap<string, string>): Promise<Answer> =>
  harness.call('POST', '/api/ai/enhance', {
    key: account.key,
    headers: { 'content-type': MULTIPART_TYPE },
    body: multipart([
      { name: 'operation', bytes: 'upscale' },
      ...[...metadata].map(([key, value]) => ({ name: `metadata.${key}`, bytes: value })),
      { name: 'file', filename: 'photo.jpg', type: 'image/jpeg', bytes },
    ]),
  });

describe('metadata in a form, with a field for each pair', () => {
  it('201: takes every key that JSON may have', async () => {
    const metadata = { 'order-id': '4711', '0': 'a', 'order id': 'b', 名: 'c', 'a.b': '{"d"' };
    const { status, body, text } = await create(new Map(Object.entries(metadata)));
    expect(status, text).toBe(201);
    expect((body as { metadata: object }).metadata).toEqual(metadata);
  });

  it.each(['', 'x'.repeat(41), '__proto__', 'constructor', 'hasOwnProperty'])(
    '400 and nothing stored: %j',
    async (key) => {
      const before = await harness.footprint();
      const { status, text } = await create(new Map([[key, 'x']]));
      expect(status).toBe(400);
      expect(text).toContain('"field":"metadata');
      expect(await harness.footprint()).toEqual(before);
    },
  );
});
