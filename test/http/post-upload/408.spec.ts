import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';
import { photo } from '../../support/images/images.js';
import { fileBody, MULTIPART_TYPE } from '../../support/app/multipart.js';
import { RawRequest } from '../../support/app/raw-request.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await startHarness({ env: { UPLOAD_IDLE_TIMEOUT_MS: '100' } });
  account = await harness.createAccount();
});
afterAll(() => harness.close());

describe('POST /api/ai/upload → 408', () => {
  it.each([
    ['before its first byte', 0],
    ['within the headers of the part', 20],
    ['within the file', 400],
  ])('when an upload stalls %s, which leaves nothing behind', async (_, sent) => {
    const body = fileBody(await photo(64, 64, 'jpeg'));
    const before = await harness.footprint();
    const request = await RawRequest.open(harness.url, 'POST /api/ai/upload', {
      'x-api-key': account.key,
      'content-type': MULTIPART_TYPE,
      'content-length': String(body.length),
    });
    await request.write(body.subarray(0, sent));
    const answer = await request.answer();
    expect(answer.status).toBe(408);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'upload_timeout', status: 408 });
    expect(answer.headers).toHaveProperty('x-ratelimit-remaining');
    expect(await harness.footprint()).toEqual(before);
  });
});
