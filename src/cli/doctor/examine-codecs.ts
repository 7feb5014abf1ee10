import { decodeImage } from '../../infra/image/codec/decode.js';
import { encodeImage } from '../../infra/image/codec/encode.js';
import { IMAGE_FORMATS } from '../../kernel/operations.js';
import { type Finding, missing, ok, reasonOf } from './finding.js';

const EDGE = 16;

/** Checks that every image format can be encoded and decoded. */
export async function examineCodecs(): Promise<readonly Finding[]> {
  const faults: string[] = [];
  for (const format of IMAGE_FORMATS) {
    try {
      const gray = {
        data: new Uint8Array(EDGE * EDGE * 3).fill(120),
        width: EDGE,
        height: EDGE,
        channels: 3,
      } as const;
      const { data } = await encodeImage(gray, { format, avifEffort: 0, webpEffort: 0, pngLevel: 1 });
      const back = await decodeImage(data, { maxPixels: EDGE * EDGE });
      if (Math.abs(back.data[0]! - 120) > 3) faults.push(`${format}: gray 120 comes back as ${back.data[0]}`);
    } catch (error) {
      faults.push(`${format}: ${reasonOf(error)}`);
    }
  }
  if (faults.length === 0) return [ok('codecs', `${IMAGE_FORMATS.join(', ')} can be written and read`)];
  const advice = 'Install the packages again (npm run setup); sharp includes its codecs.';
  return [missing('codecs', faults.join('; '), advice)];
}
