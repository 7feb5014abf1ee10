import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../../kernel/app-error.js';
import { IMAGE_FORMATS } from '../../../kernel/operations.js';
import { readHeader } from './header.js';
import { type ProbedImage, probeImage } from './probe.js';
import {
  animatedAvif,
  animatedWebp,
  heic,
  jpegOfBytes,
  textFile,
  truncated,
  withJpegSize,
} from '../testing/hostile-images.js';
import { PNG_SIGNATURE, animatedPng, hugePng, pngChunk, pngHeader } from '../testing/png-chunks.js';
import { jpegOfScans } from '../testing/progressive-jpeg.js';
import { slowPng } from '../testing/slow-png.js';
import {
  cmykJpeg,
  deepPng,
  drawSolid,
  grayImage,
  phoneJpeg,
  photo,
  pipelineOf,
  progressiveJpeg,
} from '../testing/still-images.js';

const LIMITS = { maxPixels: 50_000_000, maxDecodingBytes: 500_000_000 };
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'probe-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function probe(bytes: Uint8Array, limits = LIMITS): Promise<ProbedImage> {
  const path = join(folder, 'upload');
  await writeFile(path, bytes);
  return probeImage(path, limits, readHeader);
}

/** The code of the refusal. Any other error, or no error, fails the test. */
async function refusal(bytes: Uint8Array): Promise<string> {
  const outcome = await probe(bytes).catch((error: unknown) => error);
  if (outcome instanceof AppError) return outcome.code;
  throw new Error('was not refused', { cause: outcome });
}

describe('accepts', () => {
  it.each(IMAGE_FORMATS)('%s of any size, 1×1 included', async (format) => {
    expect(await probe(await photo(1, 1, format))).toMatchObject({
      format,
      width: 1,
      height: 1,
      hasAlpha: false,
    });
    expect(await probe(await photo(61, 37, format))).toMatchObject({
      format,
      width: 61,
      height: 37,
      hasAlpha: false,
    });
  });

  it.each(['png', 'webp', 'avif'] as const)('%s with alpha', async (format) => {
    expect(await probe(await photo(40, 20, format, 4))).toMatchObject({ format, hasAlpha: true });
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'EXIF orientation %i, with the size as displayed',
    async (orientation) => {
      const [width, height] = orientation < 5 ? [40, 20] : [20, 40];
      expect(await probe(await phoneJpeg(40, 20, orientation))).toMatchObject({ width, height });
    },
  );

  it('CMYK, grayscale, 16-bit, and progressive files', async () => {
    expect(await probe(await cmykJpeg(16, 16, [200, 60, 30]))).toMatchObject({
      format: 'jpeg',
      hasAlpha: false,
    });
    expect(await probe(await grayImage(16, 16, 'jpeg'))).toMatchObject({ format: 'jpeg', hasAlpha: false });
    expect(await probe(await grayImage(16, 16, 'png'))).toMatchObject({ format: 'png', hasAlpha: false });
    expect(await probe(await deepPng(16, 16, 4))).toMatchObject({ format: 'png', hasAlpha: true });
    expect(await probe(await progressiveJpeg(64, 64))).toMatchObject({ format: 'jpeg', width: 64 });
  });

  it.each(IMAGE_FORMATS)('a %s with bytes after its end', async (format) => {
    const file = Buffer.concat([await photo(20, 10, format), Buffer.from('a trailer that someone appended')]);
    expect(await probe(file)).toMatchObject({ format, width: 20, height: 10 });
  });

  it('a JPEG with many segments', async () => {
    const file = await jpegOfBytes(3_000_001);
    expect(file).toHaveLength(3_000_001);
    expect(await probe(file)).toMatchObject({ format: 'jpeg', width: 64, height: 48 });
  });

  it('a JPEG with filler between its segments', async () => {
    const file = await photo(20, 10, 'jpeg');
    const filler = Buffer.from([0xff, 0xff, 0x00, 0x07]);
    expect(await probe(Buffer.concat([file.subarray(0, 2), filler, file.subarray(2)]))).toMatchObject({
      width: 20,
    });
  });

  it('an animation of one frame, which is a still image', async () => {
    expect(await probe(animatedPng(1))).toMatchObject({ format: 'png', width: 8 });
  });
});

describe('refuses with 415', () => {
  it.each([
    ['no bytes', Buffer.alloc(0)],
    ['three bytes of a JPEG', Buffer.from([0xff, 0xd8, 0xff])],
    ['zero bytes', Buffer.alloc(4096)],
    ['text', textFile()],
    [
      'a GIF',
      Buffer.from(
        'GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;',
        'latin1',
      ),
    ],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ['a RIFF that is a WAV', Buffer.from('RIFF\x24\0\0\0WAVEfmt \x10\0\0\0', 'latin1')],
    ['an MP4', Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isommp42', 'latin1')],
  ])('%s', async (_name, bytes) => {
    expect(await refusal(bytes)).toBe('unsupported_media_type');
  });

  it('a HEIC', async () => {
    expect(await refusal(await heic())).toBe('unsupported_media_type');
  });
});

describe('refuses with 422', () => {
  it.each(IMAGE_FORMATS)('a %s that is cut off at any byte', async (format) => {
    const file = await photo(12, 9, format);
    for (let length = 12; length < file.length; length++) {
      const code = await refusal(file.subarray(0, length)).catch(() => 'accepted');
      // The first bytes of an AVIF do not include its brand.
      const expected =
        format === 'avif' && code === 'unsupported_media_type' ? length < 20 : code === 'undecodable_image';
      expect(expected, `${length} of ${file.length} bytes: ${code}`).toBe(true);
    }
  });

  it.each(IMAGE_FORMATS)('half of a %s', async (format) => {
    expect(await refusal(truncated(await photo(300, 200, format)))).toBe('undecodable_image');
  });

  it('animations', async () => {
    expect(await refusal(await animatedWebp())).toBe('animated_image');
    expect(await refusal(animatedPng())).toBe('animated_image');
    expect(await refusal(await animatedAvif())).toBe('animated_image');
  });

  it('a PNG with a damaged byte in any chunk', async () => {
    const file = await photo(40, 40, 'png');
    for (const at of [20, 60, file.length >> 1, file.length - 14, file.length - 1]) {
      const copy = Buffer.from(file);
      copy[at] = copy[at]! ^ 0x5a;
      expect(await refusal(copy)).toBe('undecodable_image');
    }
  });

  it('a PNG without pixels', async () => {
    const file = Buffer.concat([PNG_SIGNATURE, pngHeader(8, 8), pngChunk('IEND')]);
    expect(await refusal(file)).toBe('undecodable_image');
  });

  it('a file with more parts than any real one', async () => {
    const flood = Array<Buffer>(100_000).fill(pngChunk('tEXt'));
    expect(await refusal(Buffer.concat([PNG_SIGNATURE, pngHeader(8, 8), ...flood]))).toBe(
      'undecodable_image',
    );
    const segments = Array<Buffer>(100_000).fill(Buffer.from([0xff, 0xfe, 0, 2]));
    const jpeg = await photo(8, 8, 'jpeg');
    expect(await refusal(Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]))).toBe(
      'undecodable_image',
    );
  });

  it('60,000 × 60,000 pixels in 2 kB, without allocating memory for them', async () => {
    const file = hugePng();
    expect(file.length).toBeLessThan(2048);
    const before = process.memoryUsage().rss;
    const error = await probe(file).catch((caught: unknown) => caught);
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 2 ** 20);
    expect(error).toMatchObject({ code: 'too_many_pixels' });
    expect((error as AppError).detail).toContain('60000 × 60000');
    expect((error as AppError).detail).toContain('50000000');
  });

  it('a progressive JPEG of more than 100 scans, with an explanation', async () => {
    expect(await probe(jpegOfScans(64, 64, 100))).toMatchObject({ format: 'jpeg', width: 64 });
    const error = await probe(jpegOfScans(64, 64, 101)).catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      code: 'undecodable_image',
      detail: "This file isn't a valid image: the JPEG has more than 100 scans. Save it as a baseline JPEG.",
    });
  });

  it.each([
    ['JPEG', async () => withJpegSize(await photo(64, 64, 'jpeg'), 7_000, 7_000)],
    ['progressive JPEG', async () => withJpegSize(await progressiveJpeg(64, 64), 7_000, 7_000)],
    ['JPEG whose data ends early', async () => jpegOfScans(7_000, 7_000, 1, 0.5)],
    ['PNG', async () => hugePng(7_000, 7_000)],
  ])('a %s with too little data for the size that its header states', async (_, make) => {
    const error = await probe(await make()).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'undecodable_image' });
    expect((error as AppError).detail).toMatch(
      /says 7000 × 7000 pixels, but \d+ bytes of image data are too/,
    );
  });

  it('but no image that compresses as well as its format allows', async () => {
    expect(await probe(jpegOfScans(7_000, 7_000, 1))).toMatchObject({ width: 7_000, height: 7_000 });
    expect(await probe(slowPng())).toMatchObject({ width: 7_000, height: 7_000 });
    const solid = await pipelineOf(drawSolid(2_000, 2_000, [0, 0, 0]))
      .png({ compressionLevel: 9 })
      .toBuffer();
    expect(await probe(solid)).toMatchObject({ width: 2_000 });
    for (const lossless of [true, false]) {
      const webp = await pipelineOf(drawSolid(2_000, 2_000, [0, 0, 0]))
        .webp({ lossless })
        .toBuffer();
      expect(await probe(webp)).toMatchObject({ width: 2_000 });
    }
  });

  it('a side longer than any camera produces', async () => {
    expect(await refusal(hugePng(65_536, 1))).toBe('too_many_pixels');
    expect(await refusal(hugePng(1, 65_536))).toBe('too_many_pixels');
    expect(await probe(await photo(1, 65_535, 'png'))).toMatchObject({ width: 1, height: 65_535 });
  });

  it('one pixel more than the limit, in every format', async () => {
    for (const format of IMAGE_FORMATS) {
      const file = await photo(20, 10, format);
      await expect(probe(file, { ...LIMITS, maxPixels: 199 })).rejects.toMatchObject({
        code: 'too_many_pixels',
      });
      await expect(probe(file, { ...LIMITS, maxPixels: 200 })).resolves.toMatchObject({
        width: 20,
        height: 10,
      });
    }
  });
});

describe('the memory that decoding needs', () => {
  const needOf = async (file: Buffer): Promise<number> => (await probe(file)).decodingBytes;

  it('is higher where the decoder keeps the whole image', async () => {
    const baseline = await needOf(await photo(64, 64, 'jpeg'));
    const progressive = await needOf(await progressiveJpeg(64, 64));
    expect(progressive).toBeGreaterThan(baseline);
    expect(await needOf(await phoneJpeg(64, 64, 6))).toBeGreaterThan(baseline);
    expect(await needOf(await phoneJpeg(64, 64, 1))).toBe(baseline);
    for (const format of ['webp', 'avif'] as const)
      expect(await needOf(await photo(64, 64, format))).toBeGreaterThan(progressive);
  });

  it('is refused above the limit, with both amounts and a remedy', async () => {
    const file = await photo(64, 64, 'avif');
    const bytes = await needOf(file);
    await expect(probe(file, { ...LIMITS, maxDecodingBytes: bytes })).resolves.toBeDefined();
    await expect(probe(file, { ...LIMITS, maxDecodingBytes: bytes - 1 })).rejects.toMatchObject({
      code: 'too_many_pixels',
      detail: expect.stringMatching(
        /AVIF of 64 × 64 .* \d+ MB .* The limit is \d+ MB.*baseline JPEG/,
      ) as unknown,
    });
  });
});

it('reports a missing file with the error of the file system', async () => {
  await expect(probeImage(join(folder, 'nothing'), LIMITS, readHeader)).rejects.toMatchObject({
    code: 'ENOENT',
  });
});
