import { join } from 'node:path';
import type { ModelRoute } from '#src/models/manifest/model-route.js';
import { decodeImage } from '#src/infra/image/codec/decode.js';
import { encodeImage } from '#src/infra/image/codec/encode.js';
import { type Level, LEVELS } from '#src/kernel/operations.js';
import type { RawImage } from '#src/kernel/pixels.js';
import { enhanced } from '#src/models/check/enhanced.js';
import { anchorsOf } from './anchors.js';
import { type FilePair, pairsOf, readPicture } from './data-set.js';
import { atLeast, type Evaluation, type EvalHost, type EvalRow, missingRow } from './eval-row.js';
import { lumaPsnr, mean } from './measures.js';
import { BICUBIC, resized } from './resample.js';

const COLLECTIONS = ['Set5', 'Set14'] as const;

/** Target Y-PSNR in dB for each level. */
const TARGETS: Readonly<Record<Level, Readonly<Record<(typeof COLLECTIONS)[number], number>>>> = {
  low: { Set5: 36.6, Set14: 32.5 },
  medium: { Set5: 37.0, Set14: 32.7 },
  high: { Set5: 30.7, Set14: 27.5 },
};

/**
 * Quality of the JPEG compression of the small picture, like that of photos on the web, and the target gain over
 * bicubic, in dB.
 */
const JPEG = { quality: 75, gainDb: 0.4 } as const;

/**
 * Measures Y-PSNR against the full-resolution picture, without a border of `scale` pixels. The baseline is MATLAB's
 * bicubic enlargement.
 */
export const evaluateUpscale: Evaluation = async (host) => {
  const rows: EvalRow[] = [];
  for (const level of LEVELS) {
    const route = host.version.routes[level];
    for (const collection of COLLECTIONS) {
      const name = `sr/${collection}/x${route.scale}`;
      const folder = join(host.data, name);
      const pairs = await pairsOf(join(folder, 'LR'), join(folder, 'HR'), host.limit);
      if (pairs.length === 0) {
        rows.push(missingRow('upscale', name));
        continue;
      }
      const set = `${collection} ×${route.scale}`;
      const common = { operation: 'upscale', level, metric: 'Y-PSNR dB', count: pairs.length };
      const clean = await scores(host, route, pairs, (image) => Promise.resolve(image), `${level} ${set}`);
      const target = atLeast(TARGETS[level][collection]);
      rows.push({ ...common, set, ...clean, published: anchorsOf(set), target });
      const jpeg = await scores(host, route, pairs, asJpeg, `${level} ${set} JPEG`);
      const gained = atLeast(jpeg.baseline.value + JPEG.gainDb);
      rows.push({ ...common, set: `${set} JPEG ${JPEG.quality}`, ...jpeg, published: [], target: gained });
    }
  }
  return rows;
};

async function scores(
  { enhancer, onPicture }: EvalHost,
  route: ModelRoute,
  pairs: readonly FilePair[],
  prepared: (image: RawImage) => Promise<RawImage>,
  label: string,
): Promise<{
  readonly ours: number;
  readonly baseline: { readonly name: string; readonly value: number };
}> {
  const [ours, plain]: [number[], number[]] = [[], []];
  for (const { input, truth } of pairs) {
    onPicture(`upscale ${label}`);
    const [low, high] = [await prepared(await readPicture(input)), await readPicture(truth)];
    const { scale } = route;
    ours.push(lumaPsnr(await enhanced(enhancer, route, low), high, scale));
    plain.push(lumaPsnr(resized(low, low.width * scale, low.height * scale, BICUBIC), high, scale));
  }
  return { ours: mean(ours), baseline: { name: 'bicubic', value: mean(plain) } };
}

async function asJpeg(image: RawImage): Promise<RawImage> {
  const options = {
    format: 'jpeg',
    quality: JPEG.quality,
    avifEffort: 0,
    webpEffort: 0,
    pngLevel: 0,
  } as const;
  const { data } = await encodeImage(image, options);
  return decodeImage(data, { maxPixels: image.width * image.height });
}
