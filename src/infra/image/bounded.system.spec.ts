import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { analysisImage } from './codec/analysis-image.js';
import { decodeImage } from './codec/decode.js';
import { encodeImage, encodeToFile } from './codec/encode.js';
import { PixelFile } from './codec/pixel-file.js';
import { decodeToFile } from './testing/decode-to-file.js';
import { drawRaw } from './testing/still-images.js';

const [WIDTH, HEIGHT, BAND] = [4000, 6000, 100];
const PIXEL_BYTES = WIDTH * HEIGHT * 3;
const EFFORT = { avifEffort: 0, webpEffort: 0, pngLevel: 1 };

/** The largest increase of this process's resident memory while `work` runs, in bytes. Linux only. */
async function riseDuring(work: () => Promise<unknown>): Promise<number> {
  const residentBytes = (name: 'VmRSS' | 'VmHWM'): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync('/proc/self/status', 'utf8'))![1]) * 1024;
  writeFileSync('/proc/self/clear_refs', '5');
  const before = residentBytes('VmRSS');
  await work();
  return residentBytes('VmHWM') - before;
}

describe.skipIf(!existsSync('/proc/self/clear_refs'))('24 MP through files (needs /proc)', () => {
  let folder: string;
  let pixels: PixelFile;
  let jpeg: Buffer;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bounded-'));
    pixels = await PixelFile.create(join(folder, 'pixels.tif'), {
      width: WIDTH,
      height: HEIGHT,
      channels: 3,
    });
    const { data } = drawRaw(WIDTH, BAND);
    for (let y = 0; y < HEIGHT; y += BAND) await pixels.write({ x: 0, y, width: WIDTH, height: BAND }, data);
    await pixels.seal();
    await encodeToFile(pixels, join(folder, 'first.jpg'), { format: 'jpeg', ...EFFORT });
    jpeg = await readFile(join(folder, 'first.jpg'));
  });
  afterAll(async () => {
    await pixels.close();
    await rm(folder, { recursive: true });
  });

  it.each(['jpeg', 'png'] as const)(
    'encoding a %s takes less memory than half of the pixels',
    async (format) => {
      const path = join(folder, `result.${format}`);
      expect(await riseDuring(() => encodeToFile(pixels, path, { format, ...EFFORT }))).toBeLessThan(
        PIXEL_BYTES / 2,
      );
    },
  );

  it('decoding takes less memory than half of the pixels', async () => {
    const limits = { maxPixels: 50_000_000 };
    let decoded: PixelFile | undefined;
    const rise = await riseDuring(async () => {
      decoded = await decodeToFile(jpeg, join(folder, 'source.v'), limits);
    });
    expect(rise).toBeLessThan(PIXEL_BYTES / 2);
    await decoded!.remove();
  });

  it('analysis takes less memory than half of the pixels', async () => {
    expect(await riseDuring(() => analysisImage(pixels, 256))).toBeLessThan(PIXEL_BYTES / 2);
  });

  it('without files, the same work takes the memory of all pixels, as the measurement shows', async () => {
    const rise = await riseDuring(async () => {
      const image = await decodeImage(jpeg, { maxPixels: 50_000_000 });
      await encodeImage(image, { format: 'jpeg', ...EFFORT });
    });
    expect(rise).toBeGreaterThan(PIXEL_BYTES * 0.9);
  });
});
