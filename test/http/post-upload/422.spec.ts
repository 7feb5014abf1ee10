import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IMAGE_FORMATS } from '../../../src/kernel/operations.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';
import {
  animatedAvif,
  animatedPng,
  animatedWebp,
  hugePng,
  photo,
  truncated,
} from '../../support/images/images.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await startHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());

async function refused(bytes: Buffer, headers: Record<string, string> = {}): Promise<string> {
  const before = await harness.footprint();
  const { status, body, text } = await harness.upload(account.key, bytes, headers);
  expect(status, text).toBe(422);
  expect(await harness.footprint()).toEqual(before);
  return (body as { code: string }).code;
}

describe('POST /api/ai/upload → 422', () => {
  it.each(IMAGE_FORMATS)('for a truncated %s', async (format) => {
    const whole = await photo(80, 60, format);
    for (const share of [0.2, 0.5, 0.9]) {
      expect(await refused(truncated(whole, share))).toBe('undecodable_image');
    }
  });

  it.each([
    ['JPEG', '\xff\xd8\xff\xe0'],
    ['PNG', '\x89PNG\r\n\x1a\n'],
    ['WebP', 'RIFF\x24\0\0\0WEBPVP8 '],
    ['AVIF', '\0\0\0\x18ftypavif\0\0\0\0avifmif1'],
  ])('for a file that only begins like a %s', async (_, magic) => {
    expect(await refused(Buffer.from(magic.padEnd(500, '\0'), 'latin1'))).toBe('undecodable_image');
  });

  it.each([
    ['WebP', () => animatedWebp()],
    ['PNG', () => animatedPng()],
    ['AVIF', () => animatedAvif()],
  ])('for an animated %s', async (_, make) => {
    expect(await refused(await make())).toBe('animated_image');
  });

  it('for 60,000 × 60,000 pixels in 2 kB', async () => {
    const bytes = hugePng();
    expect(bytes.length).toBeLessThan(2_048);
    expect(await refused(bytes)).toBe('too_many_pixels');
  });

  it('for one pixel more than the configured limit', async () => {
    const small = await harness.another({ env: { MAX_INPUT_PIXELS: '600' } });
    try {
      const over = await small.upload(account.key, await photo(601, 1, 'png'));
      expect([over.status, (over.body as { code: string }).code]).toEqual([422, 'too_many_pixels']);
      expect((await small.upload(account.key, await photo(30, 20, 'png'))).status).toBe(201);
    } finally {
      await small.close();
    }
  });

  it('for an Idempotency-Key that was used with other bytes', async () => {
    const headers = { 'Idempotency-Key': 'reused' };
    await harness.upload(account.key, await photo(20, 20, 'png'), headers);
    expect(await refused(await photo(20, 21, 'png'), headers)).toBe('idempotency_mismatch');
  });

  it('for an image that takes too much memory to decode, unless it is in another format', async () => {
    const small = await harness.another({ env: { CODEC_MEMORY_BYTES: '100000000' } });
    try {
      const before = await harness.footprint();
      const { status, body } = await small.upload(account.key, await photo(2_500, 2_000, 'avif'));
      expect(status).toBe(422);
      expect(body).toMatchObject({
        code: 'too_many_pixels',
        detail: expect.stringMatching(/AVIF of 2500 × 2000 pixels .* The limit is 100 MB/) as unknown,
      });
      expect(await harness.footprint()).toEqual(before);
      expect((await small.upload(account.key, await photo(2_500, 2_000, 'jpeg'))).status).toBe(201);
    } finally {
      await small.close();
    }
  });
});
