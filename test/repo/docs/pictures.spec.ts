import sharp, { type Color } from 'sharp';
import { describe, expect, it } from 'vitest';
import { splitPicture } from '../../../scripts/docs-pictures/split-picture.mjs';

const plain = (size: number, background: Color) =>
  sharp({ create: { width: size, height: size, channels: 4, background } })
    .png()
    .toBuffer();

describe('a picture of README.md', () => {
  it('shows the photo on the left and a larger, transparent result on the right', async () => {
    const photo = await plain(100, { r: 200, g: 0, b: 0, alpha: 1 });
    const result = await sharp(await plain(400, { r: 0, g: 0, b: 0, alpha: 0 }))
      .composite([{ input: await plain(100, { r: 0, g: 0, b: 200, alpha: 1 }), left: 200, top: 40 }])
      .png()
      .toBuffer();
    // Of the result, this square is 40 to 240: its blue part begins at 4/5 of the width.
    const picture = await splitPicture(photo, result, { left: 10, top: 10, size: 50 });
    const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
    const at = (x: number, y: number) => {
      const start = info.channels * (y * info.width + x);
      return [...data.subarray(start, start + 3)];
    };
    expect([info.width, info.height]).toEqual([480, 480]);
    expect(at(100, 400)).toEqual([200, 0, 0]);
    expect(at(430, 100)).toEqual([0, 0, 200]);
    // The checkerboard.
    expect(at(264, 440)).toEqual([255, 255, 255]);
    expect(at(280, 440)).toEqual([220, 220, 220]);
  });
});
