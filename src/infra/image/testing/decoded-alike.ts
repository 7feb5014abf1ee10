import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RawImage } from '../../../kernel/pixels.js';
import { decodeImage } from '../codec/decode.js';
import { decodeToFile } from './decode-to-file.js';

const LIMITS = { maxPixels: 50_000_000 };

/**
 * The pixels of a file.
 * @throws when they are not the same in memory, from a path, and in a pixel file
 */
export async function decodedAlike(file: Buffer): Promise<RawImage> {
  const folder = await mkdtemp(join(tmpdir(), 'ies-alike-'));
  try {
    return await decodedIn(folder, file);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function decodedIn(folder: string, file: Buffer): Promise<RawImage> {
  const path = join(folder, 'picture');
  await writeFile(path, file);
  const decoded = await decodeImage(file, LIMITS);
  const fromPath = await decodeImage(path, LIMITS);
  const written = await decodeToFile(file, `${path}.v`, LIMITS);
  const rows = new Uint8Array(decoded.data.length);
  await written.read({ x: 0, y: 0, width: decoded.width, height: decoded.height }, rows);
  await written.close();
  for (const other of [fromPath.data, rows])
    if (Buffer.compare(other, decoded.data) !== 0) throw new Error('a file is decoded in two ways');
  return decoded;
}

export function pixelAt({ data, width, channels }: RawImage, x: number, y: number): number[] {
  return [...data.subarray((y * width + x) * channels, (y * width + x + 1) * channels)];
}
