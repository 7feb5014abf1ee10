import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '../../support/app/harness.js';
import { fileBody, MULTIPART_TYPE } from '../../support/app/multipart.js';
import { RawRequest } from '../../support/app/raw-request.js';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ env: { UPLOAD_IDLE_TIMEOUT_MS: '300' } });
});
afterAll(() => harness.close());

describe('POST /api/ai/enhance → 408', () => {
  it('when the file stalls, without keeping anything', async () => {
    const { key } = await harness.createAccount();
    const before = await harness.footprint();
    const request = await RawRequest.open(harness.url, 'POST /api/ai/enhance', {
      'x-api-key': key,
      'content-type': MULTIPART_TYPE,
      'content-length': '100000',
    });
    await request.write(fileBody(Buffer.alloc(1_000)).subarray(0, 900));
    const answer = await request.answer();
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([408, { code: 'upload_timeout' }]);
    expect(await harness.footprint()).toEqual(before);
  });
});
