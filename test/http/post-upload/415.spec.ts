import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';
import { heic, textFile } from '../../support/images/images.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());

describe('POST /api/ai/upload → 415', () => {
  it.each([
    ['zero bytes', () => Buffer.alloc(0)],
    ['one byte', () => Buffer.from('x')],
    ['a text file named .jpg', textFile],
    ['a GIF', () => Buffer.from('GIF89a\x01\0\x01\0\0\0\0;'.padEnd(64, '\0'), 'latin1')],
    ['a TIFF', () => Buffer.from('II*\0'.padEnd(64, '\0'), 'latin1')],
    ['an SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')],
    ['a PDF', () => Buffer.from('%PDF-1.7\n%'.padEnd(64, ' '))],
    ['a ZIP', () => Buffer.from('PK\x03\x04'.padEnd(64, '\0'), 'latin1')],
    ['a BMP', () => Buffer.from('BM'.padEnd(64, '\0'), 'latin1')],
    ['a WAV, a RIFF like WebP', () => Buffer.from('RIFF\x24\0\0\0WAVEfmt '.padEnd(64, '\0'), 'latin1')],
    [
      'an MP4, a container like AVIF',
      () => Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isomiso2'.padEnd(64, '\0'), 'latin1'),
    ],
    ['a HEIC', heic],
    ['zeros', () => Buffer.alloc(10_000)],
  ])('for %s', async (_, make) => {
    const before = await harness.footprint();
    const { status, body } = await harness.upload(account.key, await make());
    expect(status).toBe(415);
    expect(body).toMatchObject({ code: 'unsupported_media_type' });
    expect(await harness.footprint()).toEqual(before);
  });

  it('for a compressed body', async () => {
    const headers = { 'content-encoding': 'gzip' };
    const { status, body } = await harness.upload(account.key, Buffer.from('whatever'), headers);
    expect(status).toBe(415);
    expect(body).toMatchObject({ detail: expect.stringContaining('Content-Encoding') as unknown });
  });
});
