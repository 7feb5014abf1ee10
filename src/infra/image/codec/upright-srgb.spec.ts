import { describe, expect, it } from 'vitest';
import type { RawImage } from '../../../kernel/pixels.js';
import { avifOfTiles } from '../testing/avif-grid.js';
import { decodedAlike, pixelAt } from '../testing/decoded-alike.js';
import {
  ALPHA_COLUMNS,
  GRAY_COLUMNS,
  type LimitedGray,
  limitedGrayAvif,
  LIMITED_GRAYS,
  statedAsFull,
  withoutCodePoints,
} from '../testing/limited-gray.js';

describe('a monochrome AVIF in limited range (16–235)', () => {
  /** The color of each column, from its middle. */
  const columnsOf = (image: RawImage, count: number): number[][] =>
    Array.from({ length: count }, (_, column) => pixelAt(image, 8 + 16 * column, 40));

  const gray = (levels: readonly number[]): number[][] => levels.map((level) => [level, level, level]);
  const expected = (kind: LimitedGray): number[][] =>
    GRAY_COLUMNS.map((level, column) =>
      [level, level, level, ALPHA_COLUMNS[column]!].slice(0, kind.includes('alpha') ? 4 : 3),
    );

  // These also fail when the library learns to expand the range itself.
  it.each(LIMITED_GRAYS)('%s', async (kind) => {
    expect(columnsOf(await decodedAlike(limitedGrayAvif(kind)), 4)).toEqual(expected(kind));
  });

  it.each(LIMITED_GRAYS)('%s, without code points', async (kind) => {
    const file = withoutCodePoints(limitedGrayAvif(kind));
    expect(columnsOf(await decodedAlike(file), 4)).toEqual(expected(kind));
  });

  it('in tiles', async () => {
    const tile = limitedGrayAvif('8 bits');
    const file = await avifOfTiles({ tileSide: 64, columns: 2, rows: 2, tile });
    expect(columnsOf(await decodedAlike(file), 8)).toEqual(gray([...GRAY_COLUMNS, ...GRAY_COLUMNS]));
  });

  it('but not one whose code points state full range', async () => {
    const file = statedAsFull(limitedGrayAvif('8 bits'));
    expect(columnsOf(await decodedAlike(file), 4)).toEqual(gray([16, 58, 187, 235]));
  });
});
