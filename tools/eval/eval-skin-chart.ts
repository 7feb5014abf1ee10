import type { RawImage } from '#src/kernel/pixels.js';
import type { Color } from '#src/cli/models/sheet/drawing.js';
import { atMost, type EvalRow } from './eval-row.js';
import { chartPicture, MONK_TONES, OPTICAL_TONES } from '#src/cli/models/sheet/skin-chart.js';
import { colorRule, type SkinMap } from './skin-map.js';

const CHARTS = { 'drawn tones': OPTICAL_TONES, 'Monk swatches': MONK_TONES } as const;
/** Maximum difference between the recall of the best tone and that of the worst. */
const MAX_SPREAD = 0.1;

/** Measures how evenly the map finds all tones of a drawn chart, from deep to pale. The baseline is the color rule. */
export async function evaluateSkinChart(findMap: SkinMap): Promise<readonly EvalRow[]> {
  const rows: EvalRow[] = [];
  for (const [set, tones] of Object.entries(CHARTS)) {
    const ours = await recalls(tones, findMap);
    const plain = await recalls(tones, (image) => Promise.resolve(colorRule(image)));
    const common = { operation: 'smooth_skin', level: 'all', set, count: tones.length, published: [] };
    const baseline = (value: number) => ({ name: 'color rule', value });
    const [least, leastPlain] = [Math.min(...ours), Math.min(...plain)];
    rows.push(
      { ...common, metric: 'least recall', ours: least, baseline: baseline(leastPlain), target: null },
      {
        ...common,
        metric: 'recall apart',
        ours: Math.max(...ours) - least,
        baseline: baseline(Math.max(...plain) - leastPlain),
        target: atMost(MAX_SPREAD),
      },
    );
  }
  return rows;
}

async function recalls(
  tones: readonly Color[],
  find: (image: RawImage) => Promise<Float32Array>,
): Promise<readonly number[]> {
  const found: number[] = [];
  for (const tone of tones) {
    const { image, skin } = chartPicture(tone);
    const map = await find(image);
    const all = skin.reduce((sum, value) => sum + value, 0);
    found.push(skin.reduce((sum, value, at) => sum + (value === 1 && map[at]! > 0.5 ? 1 : 0), 0) / all);
  }
  return found;
}
