import type { ImageFormat } from '../../../kernel/operations.js';
import { unsupported } from '../codec/refusals.js';

/** Bytes that `sniffFormat` needs. Other brands may precede the AVIF brand. */
export const SNIFF_BYTES = 256;

/** Minimum bytes to detect any of the four formats. Every image is longer. */
const LEAST_BYTES = 12;

const PNG_SIGNATURE = '\x89PNG\r\n\x1a\n';

/**
 * Detects the format from the first bytes of a file; its name and declared type are ignored.
 * @param head up to `SNIFF_BYTES` bytes from the start of the file
 * @throws AppError `unsupported_media_type` for anything but JPEG, PNG, WebP and AVIF
 */
export function sniffFormat(head: Buffer): ImageFormat {
  if (head.length === 0) throw unsupported('The file is empty.');
  if (head.length < LEAST_BYTES) throw unsupported('The file is too short to be an image.');
  const text = head.toString('latin1');
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (text.startsWith(PNG_SIGNATURE)) return 'png';
  if (text.startsWith('RIFF') && text.startsWith('WEBP', 8)) return 'webp';
  if (text.startsWith('ftyp', 4)) return sniffBrands(head);
  throw unsupported("This file isn't a valid image.");
}

/** `ftyp`: a major brand, a version, then compatible brands (ISO/IEC 14496-12 §4.3), four bytes each. */
function sniffBrands(head: Buffer): 'avif' {
  const text = head.toString('latin1', 0, Math.min(head.readUInt32BE(0), head.length));
  const brands = [text.slice(8, 12), ...(text.slice(16).match(/[^]{4}/g) ?? [])];
  if (brands.includes('avif') || brands.includes('avis')) return 'avif';
  throw unsupported(
    brands.some((brand) => /^(he|hev|mif|msf)/.test(brand))
      ? 'The file is a HEIC/HEIF image.'
      : 'The file is a media container without an AVIF image.',
  );
}
