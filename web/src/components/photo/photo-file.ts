import { t } from '@lingui/core/macro';
import { formatBytes, formatNumber, formatSize } from '../../lib/format.js';
import type { PhotoSize } from './photo-size.js';

export const MAX_PHOTO_BYTES = 20 * 2 ** 20;
export const PHOTO_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/avif'];
/** Maximum photos in a batch. */
export const MAX_PHOTOS = 1_000;

/** Files that operating systems create in folders. */
const SYSTEM_FILES = /^(?:\..*|thumbs\.db|desktop\.ini)$/i;

/** A rejected file, and the reason. */
export interface RefusedFile {
  readonly name: string;
  readonly reason: string;
}

/** Files that were dropped, pasted, or selected together. Their content is checked later. */
export interface GivenPhotos {
  readonly photos: readonly File[];
  readonly refused: readonly RefusedFile[];
  /** The name of their folder, if they came from one. */
  readonly folder: string | null;
}

/** Separates photos from files that cannot be enhanced. @param unread the names of those that could not be read */
export function sortFiles(
  files: readonly File[],
  folder: string | null = null,
  unread: readonly string[] = [],
): GivenPhotos {
  const photos: File[] = [];
  const refused: RefusedFile[] = [];
  for (const file of files) {
    const reason = photos.length < MAX_PHOTOS ? faultOf(file) : tooManyText(file.name);
    if (reason === null) photos.push(file);
    else if (!SYSTEM_FILES.test(file.name)) refused.push({ name: file.name, reason });
  }
  refused.push(...unread.map((name) => ({ name, reason: unopenedText(name) })));
  return { photos, refused, folder };
}

/** The message for a file that has an image type but is not an image. */
export function unreadableText(name: string): string {
  return t`${name} can't be read as an image. It may be damaged, or another kind of file with an image's name. Choose another photo.`;
}

/** Why the service would refuse a photo of this size, or null. @param maxPixels of the service; width × height */
export function sizeFault(name: string, size: PhotoSize, maxPixels: number): string | null {
  if (size.width * size.height <= maxPixels) return null;
  const megapixels = formatNumber(Math.floor(maxPixels / 1e6));
  return t`${name} is too large: ${formatSize(size)} pixels. The limit is ${megapixels} megapixels. Resize it first.`;
}

/** Why a result cannot be uploaded as a photo, or null. */
export function resultFault({ bytes }: { readonly bytes: number }): string | null {
  if (bytes <= MAX_PHOTO_BYTES) return null;
  return t`This result is larger than 20 MB (${formatBytes(bytes)}), so it can't be enhanced again.`;
}

function faultOf({ name, type, size }: File): string | null {
  if (!PHOTO_TYPES.includes(type))
    return t`${name} is not a JPEG, PNG, WebP or AVIF image. Convert it to one of these first.`;
  if (size === 0) return t`${name} is empty. Choose another photo.`;
  if (size > MAX_PHOTO_BYTES)
    return t`${name} is larger than 20 MB (${formatBytes(size)}). Resize it, or save it as JPEG or WebP.`;
  return null;
}

function unopenedText(name: string): string {
  return t`${name} couldn't be opened. Check that it still exists and that you may read it, then add it again.`;
}

function tooManyText(name: string): string {
  return t`${name} is left out: a batch takes 1,000 photos. Add it to another batch.`;
}
