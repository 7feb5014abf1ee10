import type { ImageFormat } from '../../../kernel/operations.js';
import { unsupported } from '../codec/refusals.js';

/** Bytes that `sniffFormat` needs. Other brands may precede the AVIF brand. */
export const SNIFF_BYTES = 256;

/** Minimum bytes to detect any of the four formats. Every image is longer. */
const MIN_BYTES = 12;

const PNG_SIGNATURE = '\x89PNG\r\n\x1a\n';

/** Formats that users take for a supported one: the refusal names them, because such a file is a valid image. */
const OTHERS: readonly (readonly [name: string, signature: RegExp])[] = [
  ['a GIF image', /^GIF8[79]a/],
  ['a TIFF image', /^(?:II\*\0|MM\0\*)/],
  // The size of the file is followed by zeros.
  ['a BMP image', /^BM[^]{4}\0{4}/],
  ['a JPEG 2000 image', /^(?:\0\0\0\fjP {2}|\xffO\xffQ)/],
  ['a JPEG XL image', /^(?:\0\0\0\fJXL |\xff\n)/],
  ['an SVG image', /^(?:\xef\xbb\xbf)?\s*<(?:svg\s|(?:\?xml|!--|!DOCTYPE svg)[^]*<svg\s)/],
  ['a PDF document', /^%PDF-/],
];

/**
 * Detects the format from the first bytes of a file; its name and declared type are ignored.
 * @param head up to `SNIFF_BYTES` bytes from the start of the file
 * @throws AppError `unsupported_media_type` for anything but JPEG, PNG, WebP and AVIF
 */
export function sniffFormat(head: Buffer): ImageFormat {
  if (head.length === 0) throw unsupported('The file is empty.');
  if (head.length < MIN_BYTES) throw unsupported('The file is too short to be an image.');
  const text = head.toString('latin1');
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (text.startsWith(PNG_SIGNATURE)) return 'png';
  if (text.startsWith('RIFF') && text.startsWith('WEBP', 8)) return 'webp';
  if (text.startsWith('ftyp', 4)) return sniffBrands(head);
  const other = OTHERS.find(([, signature]) => signature.test(text.slice(0, SNIFF_BYTES)));
  throw unsupported(other === undefined ? "This type of file isn't supported." : `The file is ${other[0]}.`);
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
