import type { ImageFormat } from '../../../src/kernel/operations.js';
import { PNG_SIGNATURE, pngChunk, pngHeader } from '../../../src/infra/image/testing/png-chunks.js';
import { drawRaw, drawSolid, pipelineOf } from '../../../src/infra/image/testing/still-images.js';
import { halved, type Picture } from './flow-picture.js';

/** A file of one color (with a fourth number: of one alpha). */
export function solidFile(
  width: number,
  height: number,
  color: readonly number[],
  format: ImageFormat = 'png',
): Promise<Buffer> {
  return pipelineOf(drawSolid(width, height, color))
    .toFormat(format)
    .toBuffer();
}

/**
 * A large, incompressible-looking PNG: its ×4 enlargement keeps a worker busy for about a second and a half, so
 * that a polling test sees it running; less with a shorter edge.
 */
export function busyFile(edge = 640): Promise<Buffer> {
  return pipelineOf(drawRaw(edge, edge)).png({ compressionLevel: 0 }).toBuffer();
}

/** The order that goes with `busyFile`. */
export const BUSY_ORDER = { operation: 'upscale', level: 'high' } as const;

/** A picture of one sRGB color, stored as Display P3 values with that profile attached. */
export function displayP3File(color: readonly number[], format: 'jpeg' | 'png'): Promise<Buffer> {
  return pipelineOf(drawSolid(24, 24, color))
    .withIccProfile('p3')
    .toFormat(format, { quality: 100 })
    .toBuffer();
}

/** Correct structure and checksums, but the pixel stream is not a deflate stream; the header does not show it. */
export function rottenPng(): Buffer {
  const noise = Buffer.from(Array.from({ length: 400 }, (_, index) => (index * 197 + 31) & 255));
  return Buffer.concat([PNG_SIGNATURE, pngHeader(64, 64), pngChunk('IDAT', noise), pngChunk('IEND')]);
}

/**
 * A scene of overlapping discs with hard edges and fine stripes, antialiased by drawing it at twice the size. Drawn
 * here only, and not in the training scripts.
 */
export function drawnScene(width: number, height: number): Picture {
  const large: Picture = {
    width: width * 2,
    height: height * 2,
    data: new Uint8Array(width * height * 16).fill(255),
  };
  for (let y = 0; y < large.height; y += 1) {
    for (let x = 0; x < large.width; x += 1) {
      large.data.set(sceneColor(x / large.width, y / large.height), (y * large.width + x) * 4);
    }
  }
  return halved(large);
}

function sceneColor(x: number, y: number): number[] {
  let color = [60 + 90 * y, 110 + 60 * x, 150 - 70 * y];
  for (let index = 0; index < 40; index += 1) {
    const [cx, cy, radius] = [(index * 0.618) % 1, (index * 0.755) % 1, 0.03 + ((index * 0.37) % 0.14)];
    if ((x - cx) ** 2 + (y - cy) ** 2 > radius ** 2) continue;
    const stripe =
      index % 3 === 0 && Math.sin((x * Math.cos(index) + y * Math.sin(index)) * 160) > 0 ? 50 : 0;
    color = [(index * 83) % 200, (index * 149) % 200, (index * 211) % 200].map((value) => value + stripe);
  }
  return color.map(Math.round);
}
