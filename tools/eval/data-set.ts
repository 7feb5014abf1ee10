import { readdir, readFile } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { decodeImage } from '#src/infra/image/codec/decode.js';
import type { RawImage } from '#src/kernel/pixels.js';
import { ModelsError } from '#src/cli/models/models-command.js';

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

/** A picture with its mask: 1 where the file of the mask is brighter than the threshold. @throws ModelsError */
export async function readMasked(
  { input, truth }: FilePair,
  above: number,
): Promise<{ readonly image: RawImage; readonly mask: Uint8Array }> {
  const [image, { data, channels, width, height }] = [await readPicture(input), await readPicture(truth)];
  if (width !== image.width || height !== image.height)
    throw new ModelsError(
      `The mask ${truth} has ${width} × ${height} pixels, and its picture ${input} has ${image.width} × ${image.height}. Resize the mask, or remove both.`,
    );
  const mask = Uint8Array.from({ length: width * height }, (_, pixel) =>
    data[pixel * channels]! > above ? 1 : 0,
  );
  return { image, mask };
}
