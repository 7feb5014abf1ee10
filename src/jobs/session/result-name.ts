import { IMAGE_EXTENSIONS, type ImageFormat } from '../../kernel/operations.js';

const SUFFIXES: Readonly<Record<string, string>> = {
  smooth_skin: 'smoothed',
  upscale: 'upscaled',
  auto_enhance: 'enhanced',
  bg_remove: 'no-background',
};
/** File systems take 255 bytes, and a character is up to four. */
const MAX_STEM_BYTES = 180;

/** `portrait.png`, upscaled to a JPEG → `portrait-upscaled.jpg`: the name under which a result is saved. */
export function resultName(sourceName: string | null, operation: string, format: ImageFormat): string {
  const stem = withinBytes((sourceName ?? '').replace(/\.\w{1,10}$/, '')) || 'photo';
  const suffix = SUFFIXES[operation] ?? operation.replaceAll('_', '-');
  return `${stem}-${suffix}.${IMAGE_EXTENSIONS[format]}`;
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
