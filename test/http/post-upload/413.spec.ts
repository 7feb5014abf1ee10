import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { jpegOfBytes } from '../../support/images/images.js';
import { BOUNDARY, fileBody, MULTIPART_TYPE } from '../../support/app/multipart.js';
import { RawRequest } from '../../support/app/raw-request.js';

const LIMIT = 20 * 2 ** 20;

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());

describe('POST /api/ai/upload → 413', () => {
  it('for 20 MB and one byte', async () => {
    const before = await harness.footprint();
    const { status, body } = await harness.upload(account.key, await jpegOfBytes(LIMIT + 1));
    expect(status).toBe(413);
    expect(body).toMatchObject({ code: 'payload_too_large' });
    expect(await harness.footprint()).toEqual(before);
  });

  it('for 20 MB and one byte without a declared length', async () => {
    const before = await harness.footprint();
    const request = await RawRequest.open(harness.url, 'POST /api/ai/upload', {
      'x-api-key': account.key,
      'content-type': MULTIPART_TYPE,
      'transfer-encoding': 'chunked',
      connection: 'close',
    });
    const body = fileBody(await jpegOfBytes(LIMIT + 1));
    for (let at = 0; at < body.length; at += 2 ** 20)
      await request.writeChunk(body.subarray(at, at + 2 ** 20));
    await request.write('0\r\n\r\n');
    expect((await request.answer()).status).toBe(413);
    expect(await harness.footprint()).toEqual(before);
  });

  it('for a larger declared length, before a byte is sent', async () => {
    const before = await harness.footprint();
    const request = await RawRequest.open(harness.url, 'POST /api/ai/upload', {
      'x-api-key': account.key,
      'content-type': MULTIPART_TYPE,
      'content-length': String(10 * LIMIT),
    });
    const { status, headers } = await request.answer();
    expect(status).toBe(413);
    expect(headers).toHaveProperty('x-ratelimit-remaining');
    expect(await harness.footprint()).toEqual(before);
  });

  it('for a client that never stops, which is cut off and leaves nothing behind', async () => {
    const before = await harness.footprint();
    const request = await RawRequest.open(harness.url, 'POST /api/ai/upload', {
      'x-api-key': account.key,
      'content-type': MULTIPART_TYPE,
      'transfer-encoding': 'chunked',
    });
    await request.writeChunk(
      Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n`),
    );
    const chunk = Buffer.alloc(2 ** 20, 0x41);
    let sent = 0;
    while (!request.isOver && sent < 40 * LIMIT) {
      await request.writeChunk(chunk);
      sent += chunk.length;
    }
    const answer = await request.answer();
    expect(answer.status).toBe(413);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'payload_too_large', status: 413 });
    expect(answer.headers['connection']).toBe('close');
    expect(sent).toBeLessThan(40 * LIMIT);
    expect(await harness.footprint()).toEqual(before);
  });
});
