import { readdir, readFile } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { decodeImage } from '#src/infra/image/codec/decode.js';
import type { RawImage } from '#src/kernel/pixels.js';

const LIMITS = { maxPixels: 200_000_000 };

/** An input file and its ground truth. */
export interface FilePair {
  readonly input: string;
  readonly truth: string;
}

/** The first `limit` pairs of files with the same stem in two folders, sorted; empty if a folder does not exist. */
export async function pairsOf(inputs: string, truths: string, limit: number): Promise<readonly FilePair[]> {
  const byStem = new Map((await files(truths)).map((name) => [parse(name).name, join(truths, name)]));
  return (await files(inputs))
    .flatMap((name) => {
      const truth = byStem.get(parse(name).name);
      return truth === undefined ? [] : [{ input: join(inputs, name), truth }];
    })
    .slice(0, limit);
}

/** Paths of the pictures in a folder, sorted; empty if the folder does not exist. */
export async function filesOf(folder: string): Promise<readonly string[]> {
  return (await files(folder)).map((name) => join(folder, name));
}

async function files(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => /\.(png|jpe?g|webp|avif)$/i.test(name)).toSorted((a, b) => (a < b ? -1 : 1));
}

/** Pixels as the service decodes them, without alpha, which the data sets do not use. */
export async function readPicture(path: string): Promise<RawImage> {
  const image = await decodeImage(await readFile(path), LIMITS);
  if (image.channels === 3) return image;
  const data = new Uint8Array(image.width * image.height * 3);
  for (let pixel = 0; pixel < image.width * image.height; pixel++)
    data.set(image.data.subarray(pixel * 4, pixel * 4 + 3), pixel * 3);
  return { ...image, channels: 3, data };
}

/** A mask: 1 where the file is brighter than the threshold. */
export async function readMask(path: string, above: number): Promise<Uint8Array> {
  const { data, channels, width, height } = await readPicture(path);
  return Uint8Array.from({ length: width * height }, (_, pixel) => (data[pixel * channels]! > above ? 1 : 0));
}
