import { join } from 'node:path';
import { pairsOf, readMasked } from './data-set.js';
import {
  atLeast,
  type Evaluation,
  type EvalHost,
  type EvalRow,
  missingRow,
  unmeasuredRow,
} from './eval-row.js';
import { evaluateSkinChart } from './eval-skin-chart.js';
import { evaluateSkinTexture } from './eval-skin-texture.js';
import { matteScore, mean } from './measures.js';
import { colorRule, type SkinMap, skinMap } from './skin-map.js';

const MASKS = 'skin/CCP/mask';

/**
 * Measures the skin map against hand-drawn skin and a drawn chart, and the effect of each level on texture, edges, and
 * pixels outside the map.
 */
export const evaluateSmoothSkin: Evaluation = async (host) => {
  const route = host.version.routes.high;
  if (route.analyse === null) return [unmeasuredRow('smooth_skin', 'has no analyse stage for a skin map')];
  const findMap = await skinMap(route, host);
  const pairs = await pairsOf(join(host.data, 'seg', 'CCP', 'image'), join(host.data, MASKS), host.limit);
  const inputs = pairs.map(({ input }) => input);
  return [
    pairs.length === 0 ? missingRow('smooth_skin', MASKS) : await mapRow(host, findMap, pairs),
    ...(await evaluateSkinChart(findMap)),
    ...(await evaluateSkinTexture(host, findMap, inputs)),
  ];
};

async function mapRow(
  host: EvalHost,
  findMap: SkinMap,
  pairs: Awaited<ReturnType<typeof pairsOf>>,
): Promise<EvalRow> {
  const [ours, plain]: [number[], number[]] = [[], []];
  for (const pair of pairs) {
    host.onPicture('smooth_skin map CCP');
    const { image, mask } = await readMasked(pair, 0);
    ours.push(matteScore(await findMap(image), mask).iou);
    plain.push(matteScore(colorRule(image), mask).iou);
  }
  const baseline = { name: 'color rule', value: mean(plain) };
  const common = { operation: 'smooth_skin', level: 'all', set: 'CCP', count: pairs.length, published: [] };
  return { ...common, metric: 'IoU', ours: mean(ours), baseline, target: atLeast(0.45) };
}
