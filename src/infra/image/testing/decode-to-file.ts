import { decodePixels } from '../codec/decode.js';
import { PixelFile } from '../codec/pixel-file.js';

/** Decodes to a new file in this process, as the decoder and its caller do in two. */
export async function decodeToFile(
  input: Buffer,
  path: string,
  limits: { maxPixels: number },
): Promise<PixelFile> {
  return PixelFile.adopt(path, await decodePixels(input, path, limits));
}
