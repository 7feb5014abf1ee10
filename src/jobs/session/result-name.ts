import { IMAGE_EXTENSIONS, type ImageFormat } from '../../kernel/operations.js';

const SUFFIXES: Readonly<Record<string, string>> = {
  smooth_skin: 'smoothed',
  upscale: 'upscaled',
  auto_enhance: 'enhanced',
  bg_remove: 'no-background',
};
/** File systems take 255 bytes, and a character is up to four. */
const MAX_STEM_BYTES = 180;
const MAX_SUFFIX = 60;

/**
 * The name under which a result is saved: `portrait.png`, upscaled to a JPEG → `portrait-upscaled.jpg`. A chain names
 * each of its operations once.
 */
export function resultName(
  sourceName: string | null,
  operations: readonly string[],
  format: ImageFormat,
): string {
  const stem = withinBytes((sourceName ?? '').replace(/\.\w{1,10}$/, '')) || 'photo';
  const suffix = [...new Set(operations)].map(suffixOf).join('-');
  return `${stem}-${suffix.length > MAX_SUFFIX ? 'enhanced' : suffix}.${IMAGE_EXTENSIONS[format]}`;
}

function suffixOf(operation: string): string {
  return SUFFIXES[operation] ?? operation.replaceAll('_', '-').slice(0, MAX_SUFFIX);
}

function withinBytes(text: string): string {
  let bytes = 0;
  let kept = '';
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > MAX_STEM_BYTES) break;
    kept += character;
  }
  return kept;
}
