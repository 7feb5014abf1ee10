import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { RawRequest } from '../../support/app/raw-request.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());

describe('POST /api/ai/enhance → 413', () => {
  it('for JSON over 128 kB', async () => {
    const before = await harness.footprint();
    const { status, body } = await harness.createJob(account.key, { sourceUrl: 'x'.repeat(128 * 1024) });
    expect(status).toBe(413);
    expect(body).toMatchObject({ code: 'payload_too_large' });
    expect(await harness.footprint()).toEqual(before);
  });

  it('without reading on: a body that never ends is answered and cut off', async () => {
    const request = await RawRequest.open(harness.url, 'POST /api/ai/enhance', {
      'x-api-key': account.key,
      'content-type': 'application/json',
      'transfer-encoding': 'chunked',
    });
    const chunk = Buffer.alloc(64 * 1024, ' ');
    for (let sent = 0; sent < 64 * 2 ** 20 && !request.isOver; sent += chunk.length) {
      await request.writeChunk(chunk);
    }
    const { status, headers } = await request.answer();
    expect(status).toBe(413);
    expect(headers['connection']).toBe('close');
    expect(headers).toHaveProperty('x-ratelimit-remaining');
  });
});
