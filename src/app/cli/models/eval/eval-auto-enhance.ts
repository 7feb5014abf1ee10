import { join } from 'node:path';
import { LEVELS } from '../../../../kernel/operations.js';
import { enhanced } from '../../../model-check/enhanced.js';
import { anchorsOf } from './anchors.js';
import { pairsOf, readPicture } from './data-set.js';
import type { Evaluation, EvalRow } from './eval-row.js';
import { mean, psnr } from './measures.js';
import { LANCZOS, resized } from './resample.js';

/** PSNR to a retoucher's version; beside it the picture as it was. */
export const evaluateAutoEnhance: Evaluation = async ({ data, limit, version, enhancer, onPicture }) => {
  const rows: EvalRow[] = [];
  const folder = join(data, 'enhance', 'fivek');
  const pairs = await pairsOf(join(folder, 'input'), join(folder, 'target'), limit);
  if (pairs.length === 0) return rows;
  for (const level of LEVELS) {
    const [ours, plain]: [number[], number[]] = [[], []];
    for (const { input, truth } of pairs) {
      onPicture(`auto_enhance ${level} FiveK`);
      const source = await readPicture(input);
      // The pairs may differ by a pixel in size.
      const wanted = resized(await readPicture(truth), source.width, source.height, LANCZOS);
      ours.push(psnr(await enhanced(enhancer, version.routes[level], source), wanted));
      plain.push(psnr(source, wanted));
    }
    const baseline = { name: 'untouched', value: mean(plain) };
    const measured = { metric: 'PSNR dB', count: pairs.length, ours: mean(ours), baseline };
    rows.push({ operation: 'auto_enhance', level, set: 'FiveK', ...measured, published: anchorsOf('FiveK') });
  }
  return rows;
};
