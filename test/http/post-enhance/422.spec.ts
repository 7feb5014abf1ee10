import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';
import { photo } from '../../support/images/images.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await startHarness({ env: { MAX_OUTPUT_PIXELS: '160000' } });
  account = await harness.createAccount();
});
afterAll(() => harness.close());

/** A square PNG of one color; without an alpha channel if it is opaque. */
const drawn = (side: number, alpha: number): Promise<Buffer> =>
  sharp({
    create: {
      width: side,
      height: side,
      channels: alpha === 1 ? 3 : 4,
      background: { r: 9, g: 9, b: 9, alpha },
    },
  })
    .png()
    .toBuffer();

async function refused(json: Record<string, unknown>, headers: Record<string, string> = {}) {
  const before = await harness.footprint();
  const { status, body, text } = await harness.createJob(account.key, json, headers);
  expect(status, text).toBe(422);
  expect(await harness.footprint()).toEqual(before);
  return body as { code: string; detail: string };
}

describe('POST /api/ai/enhance → 422', () => {
  it('when the result would have more pixels than allowed', async () => {
    const { url: sourceUrl } = await harness.newSource(account, await photo(200, 200, 'jpeg'));
    for (const level of ['low', 'medium']) await harness.newJob(account, { sourceUrl, level });
    const { code, detail } = await refused({ sourceUrl, operation: 'upscale', level: 'high' });
    expect(code).toBe('too_many_pixels');
    expect(detail).toContain('800 × 800');
  });

  it('when the result would be longer than its format allows', async () => {
    const { url: sourceUrl } = await harness.newSource(account, await photo(9_000, 2, 'png'));
    const job = { sourceUrl, operation: 'upscale', level: 'low' };
    expect(await refused({ ...job, output: { format: 'webp' } })).toMatchObject({ code: 'too_many_pixels' });
    await harness.newJob(account, job);
  });

  it('when encoding the result would take more memory than allowed', async () => {
    const small = await harness.another({ env: { CODEC_MEMORY_BYTES: '100000000' } });
    try {
      const { url: sourceUrl } = await harness.newSource(account, await photo(1_000, 1_000, 'jpeg'));
      const before = await harness.footprint();
      const job = { sourceUrl, operation: 'upscale', level: 'high' };
      const { status, body } = await small.createJob(account.key, { ...job, output: { format: 'avif' } });
      expect(status).toBe(422);
      expect(body).toMatchObject({
        code: 'too_many_pixels',
        detail: expect.stringMatching(
          /4000 × 4000 pixels as avif .* The limit is 100 MB.*Choose another output.format \(jpeg, png\)/,
        ) as unknown,
      });
      expect(await harness.footprint()).toEqual(before);
      expect((await small.createJob(account.key, job)).status).toBe(201);
    } finally {
      await small.close();
    }
  });

  it('when a background picture makes the result transparent, and encoding that would take too much memory', async () => {
    const small = await harness.another({
      env: { CODEC_MEMORY_BYTES: '100000000', MAX_OUTPUT_PIXELS: '4000000' },
    });
    try {
      const { url: sourceUrl } = await harness.newSource(account, await drawn(2_000, 0.5));
      const behind = async (alpha: number) => {
        const { url } = await harness.newSource(account, await drawn(40, alpha));
        const output = { format: 'avif', background: { sourceUrl: url } };
        return small.createJob(account.key, { sourceUrl, operation: 'smooth_skin', output });
      };
      expect((await behind(1)).status).toBe(201);
      expect((await behind(0.5)).body).toMatchObject({
        code: 'too_many_pixels',
        detail: expect.stringContaining('2000 × 2000 pixels as avif with transparency') as unknown,
      });
    } finally {
      await small.close();
    }
  });

  it('when the Idempotency-Key was used with another body', async () => {
    const { url: sourceUrl } = await harness.newSource(account);
    const headers = { 'Idempotency-Key': 'reused' };
    const job = { sourceUrl, operation: 'upscale' };
    await harness.createJob(account.key, job, headers);
    for (const other of [
      { ...job, level: 'high' },
      { ...job, metadata: { order: '1' } },
      { ...job, operation: 'auto_enhance' },
    ]) {
      expect(await refused(other, headers)).toMatchObject({ code: 'idempotency_mismatch' });
    }
  });

  it('when the Idempotency-Key was used for an upload', async () => {
    const headers = { 'Idempotency-Key': 'of an upload'.replaceAll(' ', '-') };
    const upload = await harness.upload(account.key, await photo(20, 20, 'png'), headers);
    const sourceUrl = (upload.body as { url: string }).url;
    expect(await refused({ sourceUrl, operation: 'upscale' }, headers)).toMatchObject({
      code: 'idempotency_mismatch',
    });
  });
});
