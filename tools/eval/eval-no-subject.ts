import { LEVELS } from '#src/kernel/operations.js';
import { cutOut } from './cut-out.js';
import { drawnBackground } from './drawn-backgrounds.js';
import { atMost, type EvalHost, type EvalRow } from './eval-row.js';

const PICTURES = 100;

/**
 * Measures how many drawn walls, textures, and noise pictures are reported to contain a subject. The baseline finds one
 * in each.
 */
export async function evaluateNoSubject(host: EvalHost): Promise<readonly EvalRow[]> {
  const count = Math.min(PICTURES, host.limit);
  const rows: EvalRow[] = [];
  for (const level of LEVELS) {
    let found = 0;
    for (let index = 0; index < count; index++) {
      host.onPicture(`bg_remove ${level} backgrounds`);
      found += (await cutOut(host, level, drawnBackground(index))) === null ? 0 : 1;
    }
    const baseline = { name: 'always an answer', value: count };
    const common = { operation: 'bg_remove', level, set: 'drawn backgrounds', count, published: [] };
    rows.push({ ...common, metric: 'false subjects', ours: found, baseline, target: atMost(0) });
  }
  return rows;
}
