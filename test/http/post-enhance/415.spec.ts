import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());

describe('POST /api/ai/enhance → 415', () => {
  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/xml',
    'image/jpeg',
    'nonsense',
    ';',
  ])('for a body of type "%s"', async (type) => {
    const before = await harness.footprint();
    const { status, body } = await harness.call('POST', '/api/ai/enhance', {
      key: account.key,
      headers: { 'content-type': type },
      body: '{"operation":"upscale"}',
    });
    expect(status).toBe(415);
    expect(body).toMatchObject({ code: 'unsupported_media_type' });
    expect(await harness.footprint()).toEqual(before);
  });

  it('for a compressed body', async () => {
    const { status, body } = await harness.call('POST', '/api/ai/enhance', {
      key: account.key,
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: '{"operation":"upscale"}',
    });
    expect(status).toBe(415);
    expect(body).toMatchObject({ detail: expect.stringContaining('Content-Encoding') as unknown });
  });
});
