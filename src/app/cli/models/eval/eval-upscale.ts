import { join } from 'node:path';
import { LEVELS } from '../../../../kernel/operations.js';
import { enhanced } from '../../../model-check/enhanced.js';
import { anchorsOf } from './anchors.js';
import { pairsOf, readPicture } from './data-set.js';
import type { Evaluation, EvalRow } from './eval-row.js';
import { lumaPsnr, mean } from './measures.js';
import { BICUBIC, resized } from './resample.js';

/** Y-PSNR against the full-resolution picture, shaved by the factor; beside it MATLAB's bicubic enlargement. */
export const evaluateUpscale: Evaluation = async ({ data, limit, version, enhancer, onPicture }) => {
  const rows: EvalRow[] = [];
  for (const level of LEVELS) {
    const route = version.routes[level];
    const factor = route.scale;
    for (const collection of ['Set5', 'Set14']) {
      const folder = join(data, 'sr', collection, `x${factor}`);
      const pairs = await pairsOf(join(folder, 'LR'), join(folder, 'HR'), limit);
      const [ours, plain]: [number[], number[]] = [[], []];
      for (const { input, truth } of pairs) {
        onPicture(`upscale ${level} ${collection}`);
        const [low, high] = [await readPicture(input), await readPicture(truth)];
        ours.push(lumaPsnr(await enhanced(enhancer, route, low), high, factor));
        plain.push(lumaPsnr(resized(low, low.width * factor, low.height * factor, BICUBIC), high, factor));
      }
      if (pairs.length === 0) continue;
      const set = `${collection} ×${factor}`;
      const baseline = { name: 'bicubic', value: mean(plain) };
      const measured = { metric: 'Y-PSNR dB', count: pairs.length, ours: mean(ours), baseline };
      rows.push({ operation: 'upscale', level, set, ...measured, published: anchorsOf(set) });
    }
  }
  return rows;
};
