import { join } from 'node:path';
import type { ModelRoute } from '../../../../catalog/model-route.js';
import { Engines } from '../../../../inference/engines/engines.js';
import { uint8Tensor } from '../../../../inference/tensor.js';
import { analysisImage } from '../../../../infra/image/analysis-image.js';
import type { RawImage } from '../../../../kernel/pixels.js';
import { enhanced } from '../../../model-check/enhanced.js';
import { pairsOf, readMask, readPicture } from './data-set.js';
import type { Evaluation, EvalHost } from './eval-row.js';
import { matteScore, mean } from './measures.js';
import { sampledPlane } from './resample.js';

/** IoU of the skin map with hand-drawn skin, beside a colour rule; and what is changed where the map is 0: nothing. */
export const evaluateSmoothSkin: Evaluation = async (host) => {
  const pairs = await pairsOf(
    join(host.data, 'seg', 'CCP', 'image'),
    join(host.data, 'skin', 'CCP', 'mask'),
    host.limit,
  );
  const route = host.version.routes.high;
  if (pairs.length === 0 || route.analyse === null) return [];
  const findMap = await skinMap(route, host);
  const [ours, plain]: [number[], number[]] = [[], []];
  let changed = 0;
  for (const { input, truth } of pairs) {
    host.onPicture('smooth_skin CCP');
    const [image, skin] = [await readPicture(input), await readMask(truth, 0)];
    const map = await findMap(image);
    ours.push(matteScore(map, skin).iou);
    plain.push(matteScore(colourRule(image), skin).iou);
    changed += changedOutside(image, await enhanced(host.enhancer, route, image), map);
  }
  const common = { operation: 'smooth_skin', set: 'CCP', count: pairs.length, published: [] };
  return [
    {
      ...common,
      level: 'all',
      metric: 'IoU',
      ours: mean(ours),
      baseline: { name: 'colour rule', value: mean(plain) },
    },
    { ...common, level: 'high', metric: 'values changed outside', ours: changed, baseline: null },
  ];
};

/** Runs the analyse graph by itself, since its maps never leave the device of the enhancer. */
async function skinMap(
  { analyse }: ModelRoute,
  { threads }: EvalHost,
): Promise<(image: RawImage) => Promise<Float32Array>> {
  const { size, outputs } = analyse!;
  const graph = await new Engines({ provider: 'cpu', threads, isGuess: false }).load(analyse!);
  const name = Object.keys(outputs).find((output) => outputs[output]!.length === 3)!;
  return async (image) => {
    const small = await analysisImage(image, size);
    const found = await graph.run({ image: uint8Tensor([1, size, size, 3], new Uint8Array(small.data)) });
    return sampledPlane(found[name]!.data as Float32Array, size, image.width, image.height);
  };
}

/** Skin by its chroma alone: 77 ≤ Cb ≤ 127 and 133 ≤ Cr ≤ 173 (Chai and Ngan 1999). */
function colourRule({ data, width, height }: RawImage): Float32Array {
  return Float32Array.from({ length: width * height }, (_, pixel) => {
    const [red, green, blue] = [data[pixel * 3]!, data[pixel * 3 + 1]!, data[pixel * 3 + 2]!];
    const cb = 128 - 0.168736 * red - 0.331264 * green + 0.5 * blue;
    const cr = 128 + 0.5 * red - 0.418688 * green - 0.081312 * blue;
    return cb >= 77 && cb <= 127 && cr >= 133 && cr <= 173 ? 1 : 0;
  });
}

function changedOutside(before: RawImage, after: RawImage, map: Float32Array): number {
  let changed = 0;
  for (let at = 0; at < before.data.length; at++)
    if (map[Math.floor(at / 3)] === 0 && before.data[at] !== after.data[at]) changed++;
  return changed;
}
