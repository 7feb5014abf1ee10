import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Jimp, JimpMime } from 'jimp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeContactSheet, type ContactSheetRow } from './contact-sheet.js';

type Color = readonly [number, number, number, number];

/** A picture that computes each pixel from its position. */
async function picture(
  width: number,
  height: number,
  at: (x: number, y: number) => Color,
  mime: 'png' | 'jpeg' = 'png',
) {
  const data = Buffer.alloc(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) data.set(at(x, y), (y * width + x) * 4);
  }
  return Jimp.fromBitmap({ data, width, height }).getBuffer(JimpMime[mime]);
}

const RED: Color = [200, 40, 30, 255];
const BLUE: Color = [30, 60, 200, 255];
const CLEAR: Color = [0, 0, 0, 0];

/** Geometry of the sheet: the first row begins at the margin, and its pictures are below the heading. */
const MARGIN = 56;
const PICTURE_TOP = MARGIN + 84;
const columnLeft = (column: number): number => MARGIN + column * (360 + 24);

describe('writeContactSheet', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sheet-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function sheetOf(rows: readonly ContactSheetRow[]) {
    const path = join(folder, 'sheet.png');
    await writeContactSheet(path, rows);
    const { bitmap } = await Jimp.read(path);
    const at = (x: number, y: number): number[] => [
      ...bitmap.data.subarray((y * bitmap.width + x) * 4, (y * bitmap.width + x) * 4 + 4),
    ];
    return { width: bitmap.width, height: bitmap.height, at };
  }

  it('draws a row: heading, before, after, and an enlarged detail of both', async () => {
    const before = await picture(400, 400, () => RED);
    const after = await picture(800, 800, (x, y) =>
      x >= 600 && y >= 600 && x < 640 && y < 640 ? BLUE : RED,
    );
    const { width, height, at } = await sheetOf([
      { title: 'upscale, low', subtitle: '400 × 400 → 800 × 800', before, after },
    ]);
    expect(width).toBe(2 * MARGIN + 4 * 360 + 3 * 24);
    expect(height).toBe(2 * MARGIN + 84 + 360 + 30);
    expect(at(5, 5)).toEqual([250, 249, 247, 255]);
    let darkest = 255;
    for (let x = MARGIN; x < MARGIN + 200; x++)
      for (let y = MARGIN; y < MARGIN + 40; y++) darkest = Math.min(darkest, at(x, y)[0]!);
    expect(darkest).toBeLessThan(80);
    for (const column of [0, 1, 2]) expect(at(columnLeft(column) + 20, PICTURE_TOP + 20)).toEqual([...RED]);
    // The enlarged part shows what changed: the small blue square.
    let bluePixels = 0;
    for (let x = 0; x < 360; x++)
      for (let y = 0; y < 360; y++) bluePixels += at(columnLeft(3) + x, PICTURE_TOP + y)[2]! > 150 ? 1 : 0;
    // 40 pixels of the result are 20 of the source, enlarged four times: 80 × 80.
    expect(bluePixels).toBe(6400);
  });

  it('enlarges detail that became brighter rather than the edge of a large bright area', async () => {
    const light =
      (factor: number) =>
      (x: number, y: number): Color => {
        const isDetail = x >= 300 && y >= 300 && (x + y) % 8 < 4;
        const value = (y < 200 ? 200 : isDetail ? 160 : 40) * factor;
        return [value, value, value, 255];
      };
    const before = await picture(400, 400, light(0.5));
    const after = await picture(400, 400, light(1));
    const { at } = await sheetOf([{ title: 'auto_enhance', subtitle: '', before, after }]);
    const shades = new Set(
      Array.from({ length: 360 }, (_, x) => at(columnLeft(3) + x, PICTURE_TOP + 180)[0]),
    );
    expect(shades).toEqual(new Set([160, 40]));
  });

  it('shows transparency as a checkerboard, and enlarges its border', async () => {
    const before = await picture(400, 400, () => RED);
    const after = await picture(400, 400, (x) => (x < 200 ? RED : CLEAR));
    const { at } = await sheetOf([{ title: 'bg_remove', subtitle: '', before, after }]);
    const right = columnLeft(1) + 350;
    const shades = new Set(Array.from({ length: 60 }, (_, y) => at(right, PICTURE_TOP + 200 + y)[0]));
    expect(shades).toEqual(new Set([255, 0xdc]));
    expect(at(columnLeft(3) + 5, PICTURE_TOP + 180)).toEqual([...RED]);
    expect([255, 0xdc]).toContain(at(columnLeft(3) + 355, PICTURE_TOP + 180)[0]);
  });

  it('accepts any shape, JPEG, a single pixel, characters missing from the font, and many rows', async () => {
    const pixel = await picture(1, 1, () => BLUE);
    const wide = await picture(1000, 20, () => RED, 'jpeg');
    const tall = await picture(20, 1000, () => RED, 'jpeg');
    const rows = [pixel, wide, tall, pixel].map((before, index) => ({
      title: `шаг ${index} 🙂 ${'very '.repeat(60)}long`,
      subtitle: '→ – …',
      before,
      after: before,
    }));
    const { at, height } = await sheetOf(rows);
    expect(height).toBe(2 * MARGIN + 4 * (84 + 30) + 360 + 160 + 540 + 360 + 3 * 56);
    expect(at(columnLeft(0) + 180, PICTURE_TOP + 180)).toEqual([...BLUE]);
  });

  it('captions the pictures Before and After, or with the names of a row', async () => {
    const before = await picture(360, 360, () => RED);
    const after = await picture(360, 360, () => BLUE);
    const captions = async (names?: readonly [string, string]): Promise<string[]> => {
      const { at } = await sheetOf([{ title: '', subtitle: '', before, after, ...(names && { names }) }]);
      return [0, 1, 2, 3].map((column) => {
        const pixels: number[] = [];
        for (let y = 0; y < 30; y++)
          for (let x = 0; x < 360; x++) pixels.push(at(columnLeft(column) + x, PICTURE_TOP + 360 + y)[0]!);
        return pixels.join();
      });
    };
    const usual = await captions();
    expect(await captions(['Before', 'After'])).toEqual(usual);
    const named = await captions(['upscale@1', 'upscale@2']);
    expect(new Set([...usual, ...named]).size).toBe(8);
  });

  it('refuses a file that it cannot decode', async () => {
    const good = await picture(4, 4, () => RED);
    const path = join(folder, 'refused.png');
    await expect(
      writeContactSheet(path, [{ title: '', subtitle: '', before: good, after: Buffer.from('text') }]),
    ).rejects.toThrow(/Mime/i);
  });
});
