import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { photo } from '../testing/still-images.js';
import { ByteReader } from './byte-reader.js';
import { walkJpeg } from './walk-jpeg.js';

const WINDOW_BYTES = 64 * 1024;

let dir: string;
let image: Buffer;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'walk-jpeg-'));
  image = await photo(64, 48, 'jpeg');
});
afterAll(() => rm(dir, { recursive: true }));

/** Walks a file through the window of its reader. */
async function walk(file: Buffer) {
  const path = join(dir, 'image');
  await writeFile(path, file);
  const reader = await ByteReader.open(path);
  onTestFinished(() => reader.close());
  return walkJpeg(reader);
}

/** Bytes before the end marker of the image. */
const padded = (padding: Buffer): Buffer =>
  Buffer.concat([image.subarray(0, -2), padding, Buffer.from([0xff, 0xd9])]);

describe('a JPEG with megabytes of FF', () => {
  it.each([
    ['fill bytes', Buffer.alloc(4_000_000, 0xff)],
    ['stuffed bytes', Buffer.alloc(4_000_000, Buffer.from([0xff, 0]))],
    ['restart markers', Buffer.alloc(4_000_000, Buffer.from([0xff, 0xd3]))],
  ])('is read with a few native searches: %s', async (_, padding) => {
    const indexOf = vi.spyOn(Buffer.prototype, 'indexOf');
    onTestFinished(() => indexOf.mockRestore());
    expect(await walk(padded(padding))).toMatchObject({ size: { width: 64, height: 48 } });
    expect(indexOf.mock.calls.length).toBeLessThan(1_000);
  });
});

it.each([-2, -1, 0, 1])('finds an end marker %i bytes from the end of a window', async (distance) => {
  // The first window begins after the start marker.
  const marker = 2 + WINDOW_BYTES + distance;
  for (const byte of [0xff, 0x00, 0x41]) {
    const file = padded(Buffer.alloc(marker - (image.length - 2), byte));
    expect(await walk(file)).toMatchObject({ size: { width: 64, height: 48 } });
    await expect(walk(file.subarray(0, -1))).rejects.toMatchObject({ code: 'undecodable_image' });
  }
});
