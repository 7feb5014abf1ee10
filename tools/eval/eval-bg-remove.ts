import { join } from 'node:path';
import { type Level, LEVELS } from '#src/kernel/operations.js';
import type { RawImage } from '#src/kernel/pixels.js';
import { anchorsOf } from './anchors.js';
import { cutOut } from './cut-out.js';
import { type FilePair, pairsOf, readMasked } from './data-set.js';
import { evaluateNoSubject } from './eval-no-subject.js';
import {
  atLeast,
  type Evaluation,
  type EvalHost,
  type EvalRow,
  missingRow,
  type Target,
} from './eval-row.js';
import { bestF, type MatteScore, matteScore, mean } from './measures.js';

const BLOB_SIGMA = 0.2;
/** Brighter pixels of a mask are the subject. */
const ABOVE = 127;

/** By data set and measure. */
const TARGETS: Readonly<Record<string, Target>> = {
  'SOD maxF': atLeast(0.68),
  'SOD IoU': atLeast(0.45),
  'CCP IoU': atLeast(0.62),
};

/**
 * Measures maxF (β² = 0.3), IoU at a threshold of 0.5, and the mean error of the matte. The baseline is a Gaussian blob
 * in the center, which ignores the picture.
 */
export const evaluateBgRemove: Evaluation = async (host) => {
  const rows: EvalRow[] = [];
  for (const collection of ['SOD', 'CCP']) {
    const folder = join(host.data, 'seg', collection);
    const pairs = await pairsOf(join(folder, 'image'), join(folder, 'mask'), host.limit);
    if (pairs.length === 0) {
      rows.push(missingRow('bg_remove', `seg/${collection}`));
      continue;
    }
    const blob: MatteScore[] = [];
    for (const pair of pairs) {
      const { image, mask } = await readMasked(pair, ABOVE);
      blob.push(blobScore(image, mask));
    }
    for (const level of LEVELS) rows.push(...(await levelRows(host, level, collection, pairs, blob)));
  }
  return [...rows, ...(await evaluateNoSubject(host))];
};

async function levelRows(
  host: EvalHost,
  level: Level,
  set: string,
  pairs: readonly FilePair[],
  blob: readonly MatteScore[],
): Promise<readonly EvalRow[]> {
  const scores: MatteScore[] = [];
  let refused = 0;
  for (const pair of pairs) {
    host.onPicture(`bg_remove ${level} ${set}`);
    const { image, mask } = await readMasked(pair, ABOVE);
    const result = await cutOut(host, level, image);
    refused += result === null ? 1 : 0;
    const size = image.width * image.height;
    const matte = Float32Array.from({ length: size }, (_, at) => (result?.data[at * 4 + 3] ?? 0) / 255);
    scores.push(matteScore(matte, mask));
  }
  const common = { operation: 'bg_remove', level, set, count: pairs.length };
  const row = (metric: string, ours: number, baseline: EvalRow['baseline']): EvalRow => {
    const name = `${set} ${metric}`;
    return { ...common, metric, ours, baseline, published: anchorsOf(name), target: TARGETS[name] ?? null };
  };
  const measured = Object.entries(MEASURES).map(([metric, measure]) =>
    row(metric, measure(scores), { name: 'center blob', value: measure(blob) }),
  );
  return [...measured, row('refused though there', refused, null)];
}

const MEASURES: Readonly<Record<string, (scores: readonly MatteScore[]) => number>> = {
  maxF: bestF,
  IoU: (scores) => mean(scores.map(({ iou }) => iou)),
  MAE: (scores) => mean(scores.map(({ error }) => error)),
};

/** Score of a Gaussian in the center. */
function blobScore({ width, height }: RawImage, truth: Uint8Array): MatteScore {
  const matte = Float64Array.from({ length: width * height }, (_, pixel) => {
    const x = ((pixel % width) + 0.5) / width - 0.5;
    const y = (Math.floor(pixel / width) + 0.5) / height - 0.5;
    return Math.exp(-(x * x + y * y) / (2 * BLOB_SIGMA ** 2));
  });
  return matteScore(matte, truth);
}
