import { writeFile } from 'node:fs/promises';
import { encodeImage } from '../../../infra/image/codec/encode.js';
import type { RawImage } from '../../../kernel/pixels.js';
import type { Candidate } from './readings/candidates.js';
import type { OpenQuestion } from './inspect.js';

/** Size of a square cell, in pixels. Results are scaled with nearest-neighbor interpolation. */
const CELL = 160;
const GAP = 8;

/** Writes a PNG with a row for each picture: the source, then the result of each candidate. */
export async function writeStrip(path: string, question: OpenQuestion): Promise<void> {
  const { candidates, pictures } = question;
  const rows = Math.min(...candidates.map(({ results }) => results.length));
  const width = GAP + (candidates.length + 1) * (CELL + GAP);
  const height = GAP + rows * (CELL + GAP);
  const strip: RawImage = { data: new Uint8Array(width * height * 3).fill(245), width, height, channels: 3 };
  for (const [index, candidate] of candidates.entries()) {
    const left = GAP + (index + 1) * (CELL + GAP);
    for (let row = 0; row < rows; row++)
      drawCell(strip, resultColor(candidate, row, pictures[row]!, question.scale), left, row);
  }
  for (let row = 0; row < rows; row++) drawCell(strip, sourceColor(pictures[row]!), GAP, row);
  const { data } = await encodeImage(strip, { format: 'png', avifEffort: 0, webpEffort: 0, pngLevel: 6 });
  await writeFile(path, data);
}

/** A picture as a function of coordinates from 0 to 1: the value of a channel, 0–255. */
type Color = (x: number, y: number, channel: number) => number;

function sourceColor({ data, width, height }: RawImage): Color {
  return (x, y, channel) => data[(Math.floor(y * height) * width + Math.floor(x * width)) * 3 + channel]!;
}

/** Results whose size is not a multiple of the picture's are square maps. */
function resultColor({ results, reading }: Candidate, row: number, picture: RawImage, scale: number): Color {
  const planes = results[row]!;
  const size = picture.width * picture.height * scale * scale;
  const isPicture = planes.length === size || planes.length === 3 * size;
  const [width, height] = isPicture
    ? [picture.width * scale, picture.height * scale]
    : [Math.floor(Math.sqrt(planes.length)), Math.floor(Math.sqrt(planes.length))];
  const isColor = planes.length === 3 * width * height;
  const isSwapped = reading.input.channels === 'BGR';
  return (x, y, channel) => {
    const plane = isColor ? (isSwapped ? 2 - channel : channel) : 0;
    return planes[(plane * height + Math.floor(y * height)) * width + Math.floor(x * width)]!;
  };
}

function drawCell(strip: RawImage, color: Color, left: number, row: number): void {
  const top = GAP + row * (CELL + GAP);
  for (let y = 0; y < CELL; y++)
    for (let x = 0; x < CELL; x++)
      for (let channel = 0; channel < 3; channel++) {
        const value = color((x + 0.5) / CELL, (y + 0.5) / CELL, channel);
        strip.data[((top + y) * strip.width + left + x) * 3 + channel] = Math.min(255, Math.max(0, value));
      }
}
