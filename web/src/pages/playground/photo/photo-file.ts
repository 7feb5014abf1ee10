import { formatBytes } from '../../../lib/format.js';

export const MAX_PHOTO_BYTES = 20 * 2 ** 20;
export const PHOTO_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/avif'];

/** Which of the given files is used, and what to say about it. */
export interface PhotoChoice {
  readonly file: File | null;
  readonly fault: string | null;
  /** Something to know about a choice that went well. */
  readonly note: string | null;
}

/** Takes the first photo of those that were dropped, pasted or chosen. The bytes are judged when it is shown. */
export function choosePhoto(files: readonly File[]): PhotoChoice {
  const photos = files.filter(({ type }) => PHOTO_TYPES.includes(type));
  const file = photos.find(({ size }) => size <= MAX_PHOTO_BYTES);
  if (file !== undefined) {
    const note = files.length > 1 ? `You added ${files.length} files. Using ${file.name}.` : null;
    return { file, fault: null, note };
  }
  const [tooLarge] = photos;
  if (tooLarge !== undefined) return refused(tooLargeText(tooLarge));
  return refused(
    `${files[0]?.name ?? 'That file'} is not a JPEG, PNG, WebP or AVIF image. Convert it to one of these first.`,
  );
}

/** Said of a file that calls itself an image and is none. */
export function unreadableText(name: string): string {
  return `${name} can't be read as an image. It may be damaged, or another kind of file with an image's name. Choose another photo.`;
}

function tooLargeText({ name, size }: File): string {
  return `${name} is larger than 20 MB (${formatBytes(size)}). Resize it, or save it as JPEG or WebP.`;
}

function refused(fault: string): PhotoChoice {
  return { file: null, fault, note: null };
}
