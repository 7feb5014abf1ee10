import { describe, expect, it } from 'vitest';
import { avifOfTiles } from '../testing/avif-grid.js';
import { decodeImage } from '../codec/decode.js';
import { avifOfTransfer, HLG, PQ } from '../testing/hdr-images.js';
import { ByteReader } from './byte-reader.js';
import { walkAvif } from './walk-avif.js';

const walk = async (file: Buffer) => walkAvif(ByteReader.over(file));
const GRID = { tileSide: 64, columns: 3, rows: 2 };

/** Replaces the first occurrence of a byte sequence with another one of the same length. */
function replaced(file: Buffer, from: string, to: string): Buffer {
  const at = file.indexOf(from, 0, 'latin1');
  expect(at).toBeGreaterThan(0);
  const copy = Buffer.from(file);
  copy.write(to, at, 'latin1');
  return copy;
}

describe('an HDR image', () => {
  it.each([
    [PQ, 'PQ'],
    [HLG, 'HLG'],
  ])('is refused: transfer %i', async (transfer, name) => {
    await expect(walk(await avifOfTransfer(transfer))).rejects.toMatchObject({
      code: 'hdr_image',
      detail: `This is an HDR image (${name}), whose colors this service can't keep. Save it in standard dynamic range (SDR).`,
    });
  });

  it('is one only by its transfer function', async () => {
    for (const transfer of [1, 13]) await expect(walk(await avifOfTransfer(transfer))).resolves.toBeDefined();
  });
});

describe('an AVIF of tiles', () => {
  it('is accepted, even when its tiles are identical and stored once', async () => {
    for (const isOneItem of [false, true]) {
      const file = await avifOfTiles({ ...GRID, isOneItem });
      await expect(walk(file)).resolves.toMatchObject({ animated: false });
      const { width, height } = await decodeImage(file, { maxPixels: 50_000_000 });
      expect([width, height]).toEqual([192, 128]);
    }
    await expect(walk(await avifOfTiles({ tileSide: 384, columns: 17, rows: 15 }))).resolves.toBeDefined();
  });

  it('is accepted when it shows less than one large tile', async () => {
    await expect(
      walk(await avifOfTiles({ tileSide: 1_024, columns: 1, rows: 1, shown: 64 })),
    ).resolves.toBeDefined();
  });

  it('is refused when it decodes far more than it shows', async () => {
    const file = await avifOfTiles({ tileSide: 1_024, columns: 15, rows: 15, shown: 64 });
    await expect(walk(file)).rejects.toMatchObject({
      code: 'undecodable_image',
      detail:
        "This file isn't a valid image: the parts of the AVIF have 235929600 pixels in total, but only 4096 are shown. Save it as a single image.",
    });
    // Sources that were stored before this limit existed are refused, too.
    await expect(decodeImage(file, { maxPixels: 50_000_000 })).rejects.toMatchObject({
      detail: expect.stringContaining('Save it as a single image') as unknown,
    });
  });

  it('is refused when many tiles share the same large data', async () => {
    const file = await avifOfTiles({ tileSide: 320, columns: 15, rows: 15, isNoise: true });
    await expect(walk(file)).rejects.toMatchObject({
      code: 'undecodable_image',
      detail: expect.stringMatching(
        /the parts of the AVIF overlap: they claim \d+ bytes of a file of \d+\. Save/,
      ) as unknown,
    });
  });

  it('is refused with an explanation when it has more items or references than the library accepts', async () => {
    await expect(walk(await avifOfTiles({ tileSide: 64, columns: 16, rows: 16 }))).rejects.toMatchObject({
      detail: "This file isn't a valid image: the AVIF holds more than 256 items.",
    });
    const file = await avifOfTiles({ tileSide: 64, columns: 100, rows: 100, isOneItem: true });
    await expect(walk(file)).rejects.toMatchObject({
      detail: "This file isn't a valid image: an AVIF item is derived from more than 256 others.",
    });
  });

  it('is refused when its items are derived from each other in a cycle', async () => {
    const file = await avifOfTiles({ ...GRID, isOneItem: true });
    // The grid is item 2: its first tile becomes the grid itself.
    const circle = replaced(file, 'dimg\0\x02\0\x06\0\x01', 'dimg\0\x02\0\x06\0\x02');
    await expect(walk(circle)).rejects.toMatchObject({
      detail: "This file isn't a valid image: the AVIF derives items over more than 4 levels.",
    });
  });

  it('is refused when a nested box is cut short', async () => {
    const file = await avifOfTiles({ ...GRID, isOneItem: true });
    for (const [from, to] of [
      ['dimg\0\x02\0\x06', 'dimg\0\x02\0\x0a'],
      ['ipma\0\0\0\0\0\0\0\x02', 'ipma\0\0\0\0\0\0\xff\xff'],
      ['ispe\0\0\0\0\0\0\0\xc0', 'ispe\xff\xff\xff\xff\0\0\0\xc0'],
    ] as const) {
      const outcome = await walk(replaced(file, from, to)).catch((error: unknown) => error);
      if (from.startsWith('ispe')) expect(outcome).toMatchObject({ animated: false });
      else expect(outcome).toMatchObject({ code: 'undecodable_image' });
    }
  });
});
