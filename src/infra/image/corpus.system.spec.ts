import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../kernel/app-error.js';
import { decodeImage } from './codec/decode.js';
import { readHeader } from './containers/header.js';
import { probeImage } from './containers/probe.js';
import { decodeToFile } from './testing/decode-to-file.js';

/**
 * Public conformance files and hostile files, which are not part of the repository. Without the folder, each of these
 * tests is skipped by name.
 */
const CORPUS = '../shared/data/files';
const isAbsent = !existsSync(CORPUS);
const LIMITS = { maxPixels: 50_000_000, maxDecodingBytes: 500_000_000 };
const REFUSALS = [
  'undecodable_image',
  'unsupported_media_type',
  'hdr_image',
  'animated_image',
  'too_many_pixels',
];

const pathsOf = (group: string): string[] =>
  readdirSync(join(CORPUS, group)).map((name) => join(CORPUS, group, name));

interface Outcome {
  readonly probe: string;
  readonly decode: string;
}

/** `ok` or the code of the refusal, for both. Anything except an AppError fails the test. */
async function outcomeOf(path: string): Promise<Outcome> {
  const probed = await probeImage(path, LIMITS, readHeader).catch(refusalOf);
  const decoded = await decodeImage(readFileSync(path), LIMITS).catch(refusalOf);
  if (typeof probed !== 'string' && typeof decoded !== 'string') {
    const { data, channels, ...header } = decoded;
    expect(probed, path).toMatchObject({ ...header, hasAlpha: channels === 4 });
    expect(data.length, path).toBe(decoded.width * decoded.height * channels);
  }
  return {
    probe: typeof probed === 'string' ? probed : 'ok',
    decode: typeof decoded === 'string' ? decoded : 'ok',
  };
}

function refusalOf(error: unknown): string {
  if (!(error instanceof AppError)) throw error;
  expect(REFUSALS).toContain(error.code);
  return error.code;
}

/** Whether a file yields the same pixels in memory and in a file, or the same refusal. */
async function isAlike(path: string, scratch: string): Promise<boolean> {
  const bytes = readFileSync(path);
  const file = await decodeToFile(bytes, join(scratch, 'pixels.v'), LIMITS).catch(refusalOf);
  const decoded = await decodeImage(bytes, LIMITS).catch(refusalOf);
  if (typeof file === 'string' || typeof decoded === 'string') {
    return file === decoded && !existsSync(join(scratch, 'pixels.v'));
  }
  const { width, height, channels } = file;
  const rows = new Uint8Array(width * height * channels);
  await file.read({ x: 0, y: 0, width, height }, rows);
  await file.remove();
  return Buffer.compare(rows, decoded.data) === 0;
}

describe('corpus', () => {
  it.skipIf(isAbsent)('every file is decoded to a file just as to memory', async () => {
    const scratch = mkdtempSync(join(tmpdir(), 'corpus-'));
    for (const group of ['pngsuite', 'avif', 'hostile', 'exif-orientation'])
      for (const path of pathsOf(group)) expect(await isAlike(path, scratch), path).toBe(true);
    rmSync(scratch, { recursive: true });
  });

  it.skipIf(isAbsent)('PngSuite: every valid file is accepted and decoded', async () => {
    const valid = pathsOf('pngsuite').filter((path) => !/\/x/.test(path));
    expect(valid.length).toBeGreaterThan(150);
    for (const path of valid) expect(await outcomeOf(path), path).toEqual({ probe: 'ok', decode: 'ok' });
  });

  it.skipIf(isAbsent)('PngSuite: every corrupt file is refused by the probe and by the decoder', async () => {
    const corrupt = pathsOf('pngsuite').filter((path) => /\/x/.test(path));
    expect(corrupt.length).toBe(14);
    for (const path of corrupt) {
      const { probe, decode } = await outcomeOf(path);
      expect(['undecodable_image', 'unsupported_media_type'], path).toContain(probe);
      expect(decode, path).toBe('undecodable_image');
    }
  });

  it.skipIf(isAbsent)(
    'AVIF samples: every profile, depth, and odd size is accepted and decoded',
    async () => {
      for (const path of pathsOf('avif')) {
        expect(await outcomeOf(path), path).toEqual({ probe: 'ok', decode: 'ok' });
      }
    },
  );

  it.skipIf(isAbsent)(
    'AVIF samples: a monochrome picture is as bright as the same picture in color',
    async () => {
      const gray = pathsOf('avif').filter((path) => path.includes('.monochrome'));
      expect(gray.length).toBeGreaterThan(10);
      for (const path of gray) {
        const { data } = await decodeImage(path, LIMITS);
        const color = await decodeImage(path.replace('.monochrome', ''), LIMITS);
        expect(meanDifference(lumaOf(data), lumaOf(color.data)), path).toBeLessThan(2);
      }
    },
  );

  it.skipIf(isAbsent)('hostile files: each is decoded, or refused with a code', async () => {
    for (const path of pathsOf('hostile')) {
      const { probe, decode } = await outcomeOf(path);
      // A file that the probe accepts may still fail to decode, but only as damaged.
      expect(probe === 'ok' ? ['ok', 'undecodable_image'] : ['ok', ...REFUSALS], path).toContain(decode);
    }
  });

  it.skipIf(isAbsent)('EXIF orientation examples: all nine show the same picture', async () => {
    for (const shape of ['Landscape', 'Portrait']) {
      const reference = await decodeImage(join(CORPUS, 'exif-orientation', `${shape}_0.jpg`), LIMITS);
      for (let orientation = 1; orientation <= 8; orientation++) {
        const path = join(CORPUS, 'exif-orientation', `${shape}_${orientation}.jpg`);
        expect(await outcomeOf(path), path).toEqual({ probe: 'ok', decode: 'ok' });
        const decoded = await decodeImage(path, LIMITS);
        expect([decoded.width, decoded.height], path).toEqual([reference.width, reference.height]);
        // Each picture contains a large numeral, so they are similar, not equal.
        expect(meanDifference(decoded.data, reference.data), path).toBeLessThan(12);
      }
    }
  });
});

/** Brightness of some RGB pixels (ITU-R BT.601). */
function lumaOf(rgb: Uint8Array): Uint8Array {
  const luma = new Uint8Array(Math.floor(rgb.length / 30));
  for (let at = 0; at < luma.length; at++)
    luma[at] = 0.299 * rgb[30 * at]! + 0.587 * rgb[30 * at + 1]! + 0.114 * rgb[30 * at + 2]!;
  return luma;
}

function meanDifference(a: Uint8Array, b: Uint8Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index += 7) sum += Math.abs(a[index]! - b[index]!);
  return (sum * 7) / a.length;
}
