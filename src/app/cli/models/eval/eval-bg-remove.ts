import { join } from 'node:path';
import { LEVELS } from '../../../../kernel/operations.js';
import type { RawImage } from '../../../../kernel/pixels.js';
import { enhanced } from '../../../model-check/enhanced.js';
import { anchorsOf } from './anchors.js';
import { type FilePair, pairsOf, readMask, readPicture } from './data-set.js';
import type { Evaluation, EvalHost, EvalRow } from './eval-row.js';
import { bestF, type MatteScore, matteScore, mean } from './measures.js';

const BLOB_SIGMA = 0.2;

/** maxF (β² = 0.3), IoU at one half and mean error of the matte; beside it a blob in the middle, which knows nothing. */
export const evaluateBgRemove: Evaluation = async (host) => {
  const rows: EvalRow[] = [];
  for (const collection of ['SOD', 'CCP']) {
    const folder = join(host.data, 'seg', collection);
    const pairs = await pairsOf(join(folder, 'image'), join(folder, 'mask'), host.limit);
    if (pairs.length === 0) continue;
    const blob = await Promise.all(
      pairs.map(async ({ input, truth }) => blobScore(await readPicture(input), await readMask(truth, 127))),
    );
    for (const level of LEVELS) {
      const ours = await scoresOf(host, level, collection, pairs);
      rows.push(...rowsOf(level, collection, ours, blob));
    }
  }
  return rows;
};

async function scoresOf(
  { version, enhancer, onPicture }: EvalHost,
  level: (typeof LEVELS)[number],
  collection: string,
  pairs: readonly FilePair[],
): Promise<readonly MatteScore[]> {
  const scores: MatteScore[] = [];
  for (const { input, truth } of pairs) {
    onPicture(`bg_remove ${level} ${collection}`);
    const result = await enhanced(enhancer, version.routes[level], await readPicture(input));
    const matte = Float32Array.from(
      { length: result.width * result.height },
      (_, pixel) => result.data[pixel * 4 + 3]! / 255,
    );
    scores.push(matteScore(matte, await readMask(truth, 127)));
  }
  return scores;
}

function rowsOf(
  level: string,
  set: string,
  ours: readonly MatteScore[],
  blob: readonly MatteScore[],
): readonly EvalRow[] {
  const measures = [
    ['maxF', bestF] as const,
    ['IoU', (scores: readonly MatteScore[]) => mean(scores.map(({ iou }) => iou))] as const,
    ['MAE', (scores: readonly MatteScore[]) => mean(scores.map(({ error }) => error))] as const,
  ];
  return measures.map(([metric, measure]) => ({
    operation: 'bg_remove',
    level,
    set,
    metric,
    count: ours.length,
    ours: measure(ours),
    baseline: { name: 'centre blob', value: measure(blob) },
    published: anchorsOf(`${set} ${metric}`),
  }));
}

/** A Gaussian in the middle. */
function blobScore({ width, height }: RawImage, truth: Uint8Array): MatteScore {
  const matte = Float64Array.from({ length: width * height }, (_, pixel) => {
    const x = ((pixel % width) + 0.5) / width - 0.5;
    const y = (Math.floor(pixel / width) + 0.5) / height - 0.5;
    return Math.exp(-(x * x + y * y) / (2 * BLOB_SIGMA ** 2));
  });
  return matteScore(matte, truth);
}
