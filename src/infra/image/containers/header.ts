import type { ImageFormat } from '../../../kernel/operations.js';
import { bytesToDecode } from '../codec/codec-memory.js';
import type { ImageHeader } from './image-header.js';
import { libvips } from '../codec/libvips.js';
import { animated, assertPixels, damaged, unsupported } from '../codec/refusals.js';

/**
 * Reads the header with the library's own parser. Allocates no memory for pixels, regardless of the stated size.
 * @param input a path or the bytes
 * @throws AppError `undecodable_image`, `unsupported_media_type`, `hdr_image`, `animated_image`, `too_many_pixels`
 */
export async function readHeader(
  input: string | Buffer,
  limits: { maxPixels: number },
): Promise<ImageHeader> {
  // The library's pixel limit is disabled, because its error can be recognized only by its text.
  const image = libvips()(input, { failOn: 'error', limitInputPixels: false });
  const metadata = await image.metadata().catch((error: unknown) => {
    throw damaged('the header is corrupt', error);
  });
  const { width, height } = metadata.autoOrient;
  if (!(width > 0 && height > 0)) throw damaged('the width or height is missing');
  assertPixels(width, height, limits.maxPixels);
  if ((metadata.pages ?? 1) > 1) throw animated();
  const format = formatOf(metadata.format, metadata.compression);
  const traits = {
    format,
    channels: metadata.channels,
    isInterlaced: metadata.isProgressive,
    isDeep: metadata.depth !== 'uchar',
    isTurned: (metadata.orientation ?? 1) !== 1,
  };
  return {
    format,
    width,
    height,
    hasAlpha: metadata.hasAlpha,
    decodingBytes: bytesToDecode(traits, width * height),
  };
}

function formatOf(format: string, compression: string | undefined): ImageFormat {
  if (format === 'jpeg' || format === 'png' || format === 'webp') return format;
  if (format === 'heif' && compression === 'av1') return 'avif';
  throw unsupported(`The file is a ${format.toUpperCase()} image.`);
}
