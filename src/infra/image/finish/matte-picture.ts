import type { OutputKind } from '../../../kernel/output-options.js';
import type { PixelSink, PixelSource, Region } from '../../../kernel/pixels.js';
import { readPadded, stripsOf } from './strips.js';

/**
 * Draws the matte of an RGBA image as gray: white is the subject (`mask`), or its outline (`edges`). The outline is the
 * difference between the highest and the lowest alpha among a pixel and its eight neighbors (a morphological gradient).
 * @param frame the part of the image to show; transparent beyond the image
 * @param target RGB, of the size of the frame; the three channels get the same value
 * @param signal stops it between strips
 */
export async function drawMatte(
  image: PixelSource,
  frame: Region,
  kind: Exclude<OutputKind, 'image'>,
  target: PixelSink,
  signal?: AbortSignal,
): Promise<void> {
  for (const strip of stripsOf(frame)) {
    signal?.throwIfAborted();
    const area = { x: frame.x, y: frame.y + strip.y, width: frame.width, height: strip.height };
    const gray = kind === 'mask' ? await alphaOf(image, area) : await outlineOf(image, area);
    const rows = new Uint8Array(gray.length * 3);
    for (let at = 0; at < gray.length; at++) rows.fill(gray[at]!, at * 3, at * 3 + 3);
    await target.write({ x: 0, y: strip.y, width: frame.width, height: strip.height }, rows);
  }
}

async function alphaOf(image: PixelSource, area: Region): Promise<Uint8Array> {
  const pixels = new Uint8Array(area.width * area.height * 4);
  await readPadded(image, area, pixels);
  const alpha = new Uint8Array(area.width * area.height);
  for (let at = 0; at < alpha.length; at++) alpha[at] = pixels[at * 4 + 3]!;
  return alpha;
}

async function outlineOf(image: PixelSource, area: Region): Promise<Uint8Array> {
  const { width, height } = area;
  // One more pixel on each side; where the picture ends, the subject is not outlined.
  const alpha = await alphaOf(image, {
    x: area.x - 1,
    y: area.y - 1,
    width: width + 2,
    height: height + 2,
  });
  const outline = new Uint8Array(width * height);
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++) {
      let low = 255;
      let high = 0;
      for (let row = y; row < y + 3; row++) {
        if (!isInside(area.y + row - 1, image.height)) continue;
        for (let column = x; column < x + 3; column++) {
          if (!isInside(area.x + column - 1, image.width)) continue;
          const value = alpha[row * (width + 2) + column]!;
          if (value < low) low = value;
          if (value > high) high = value;
        }
      }
      outline[at] = Math.max(0, high - low);
    }
  return outline;
}

const isInside = (at: number, size: number): boolean => at >= 0 && at < size;
