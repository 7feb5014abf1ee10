import { readFile } from 'node:fs/promises';
import { decodeImage } from '../../../infra/image/codec/decode.js';
import { encodeImage } from '../../../infra/image/codec/encode.js';
import type { RawImage } from '../../../kernel/pixels.js';
import { ModelsError } from '../models-command.js';

/** Reads a picture of the user. @throws ModelsError */
export async function readSubject(path: string, maxPixels: number): Promise<RawImage> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new ModelsError(`The picture ${path} cannot be read (${error.code}).`);
  });
  return decodeImage(bytes, { maxPixels }).catch((error: unknown) => {
    throw new ModelsError(`The picture ${path} cannot be used: ${(error as Error).message}`);
  });
}

/** A picture in the format that a contact sheet needs. */
export async function asPng(image: RawImage): Promise<Buffer> {
  const { data } = await encodeImage(image, { format: 'png', avifEffort: 0, webpEffort: 0, pngLevel: 1 });
  return data;
}

/** @throws ModelsError when jimp, an optional package, is not installed */
export async function contactSheets(): Promise<typeof import('../../contact-sheet/contact-sheet.js')> {
  return import('../../contact-sheet/contact-sheet.js').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new ModelsError('Sheets need the npm package jimp: npm install jimp');
  });
}
