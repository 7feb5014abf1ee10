import { join } from 'node:path';
import { type Level, LEVELS } from '#src/kernel/operations.js';
import { enhanced } from '#src/models/check/enhanced.js';
import { anchorsOf } from './anchors.js';
import { autoLevels } from './auto-levels.js';
import { type FilePair, filesOf, pairsOf, readPicture } from './data-set.js';
import { atLeast, atMost, type Evaluation, type EvalHost, type EvalRow, missingRow } from './eval-row.js';
import { type Light, lightOf } from './light.js';
import { mean, meanChange, psnr } from './measures.js';
import { LANCZOS, resized } from './resample.js';

/** Minimum gain in dB over the unchanged picture and over auto-levels. Both must be reached. */
const GAIN_DB = { untouched: 1, autoLevels: 0.5 } as const;
/** Maximum mean change (0–255) at `low` of a picture that a retoucher has finished. */
const FINISHED_CHANGE = 2;
/**
 * Targets for night pictures. `lift`: mean light, 0–255. `colorShift`: change of a channel's share of the sum.
 * `grain`: grain relative to the light; 1 is unchanged.
 */
const NIGHT = { lift: 5, colorShift: 0.03, grain: 1 } as const;

/** Measures PSNR against a retoucher's version, the change of that version itself, and the lift of night pictures. */
export const evaluateAutoEnhance: Evaluation = async (host) => {
  const folder = join(host.data, 'enhance', 'fivek');
  const pairs = await pairsOf(join(folder, 'input'), join(folder, 'target'), host.limit);
  const night = (await filesOf(join(host.data, 'enhance', 'lowlight'))).slice(0, host.limit);
  const rows: EvalRow[] = [];
  if (pairs.length === 0) rows.push(missingRow('auto_enhance', 'enhance/fivek'));
  if (night.length === 0) rows.push(missingRow('auto_enhance', 'enhance/lowlight'));
  for (const level of LEVELS) {
    if (pairs.length > 0) rows.push(...(await retouchedRows(host, level, pairs)));
    if (night.length > 0) rows.push(...(await nightRows(host, level, night)));
  }
  return rows;
};

async function retouchedRows(
  host: EvalHost,
  level: Level,
  pairs: readonly FilePair[],
): Promise<readonly EvalRow[]> {
  const route = host.version.routes[level];
  const found = { ours: [] as number[], untouched: [] as number[], levels: [] as number[] };
  const changes = { ours: [] as number[], levels: [] as number[] };
  for (const { input, truth } of pairs) {
    host.onPicture(`auto_enhance ${level} FiveK`);
    const [source, target] = [await readPicture(input), await readPicture(truth)];
    // The sizes of a pair may differ by a pixel.
    const wanted = resized(target, source.width, source.height, LANCZOS);
    found.ours.push(psnr(await enhanced(host.enhancer, route, source), wanted));
    found.untouched.push(psnr(source, wanted));
    found.levels.push(psnr(autoLevels(source), wanted));
    changes.ours.push(meanChange(target, await enhanced(host.enhancer, route, target)));
    changes.levels.push(meanChange(target, autoLevels(target)));
  }
  const common = { operation: 'auto_enhance', level, count: pairs.length };
  const quality = { ...common, set: 'FiveK', metric: 'PSNR dB', ours: mean(found.ours) };
  const against = (name: string, values: readonly number[], gainDb: number): EvalRow => ({
    ...quality,
    baseline: { name, value: mean(values) },
    published: anchorsOf('FiveK'),
    target: atLeast(mean(values) + gainDb),
  });
  const finished = { ...common, set: 'FiveK, finished', metric: 'mean change', ours: mean(changes.ours) };
  return [
    against('untouched', found.untouched, GAIN_DB.untouched),
    against('auto-levels', found.levels, GAIN_DB.autoLevels),
    {
      ...finished,
      baseline: { name: 'auto-levels', value: mean(changes.levels) },
      published: [],
      target: level === 'low' ? atMost(FINISHED_CHANGE) : null,
    },
  ];
}

async function nightRows(
  host: EvalHost,
  level: Level,
  files: readonly string[],
): Promise<readonly EvalRow[]> {
  const [was, is, levels]: [Light[], Light[], Light[]] = [[], [], []];
  for (const file of files) {
    host.onPicture(`auto_enhance ${level} low light`);
    const source = await readPicture(file);
    was.push(lightOf(source));
    is.push(lightOf(await enhanced(host.enhancer, host.version.routes[level], source)));
    levels.push(lightOf(autoLevels(source)));
  }
  const light = mean(was.map(({ level: value }) => value));
  const common = { operation: 'auto_enhance', level, set: 'low light', count: files.length, published: [] };
  const grains = was.flatMap(({ grain }, at) => (grain > 0 ? [is[at]!.grain / grain] : []));
  return [
    {
      ...common,
      metric: 'mean light',
      ours: mean(is.map(({ level: value }) => value)),
      baseline: { name: 'untouched', value: light },
      target: atLeast(light + NIGHT.lift),
    },
    {
      ...common,
      metric: 'color shift',
      ours: shiftOf(was, is),
      baseline: { name: 'auto-levels', value: shiftOf(was, levels) },
      target: atMost(NIGHT.colorShift),
    },
    ...(grains.length === 0
      ? []
      : [{ ...common, metric: 'grain', ours: mean(grains), baseline: null, target: atMost(NIGHT.grain) }]),
  ];
}

/** The largest change of a channel's share, averaged over the pictures. */
function shiftOf(was: readonly Light[], is: readonly Light[]): number {
  return mean(
    was.map(({ shares }, at) =>
      Math.max(...shares.map((share, channel) => Math.abs(share - is[at]!.shares[channel]!))),
    ),
  );
}
