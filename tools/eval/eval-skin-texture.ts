import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Level, LEVELS } from '#src/kernel/operations.js';
import type { RawImage } from '#src/kernel/pixels.js';
import { enhanced } from '#src/models/check/enhanced.js';
import { readPicture } from './data-set.js';
import { atLeast, atMost, type EvalHost, type EvalRow, missingRow } from './eval-row.js';
import type { SkinMap } from './skin-map.js';
import { blurredSkin, SkinTexture, type TextureSums } from './skin-texture.js';

/** Target reduction of the fine-scale energy for each level, as a fraction. */
const FALL: Readonly<Record<Level, number>> = { low: 0.35, medium: 0.55, high: 0.75 };
/** Minimum fraction of edge pixels that keep their slope within 5%. */
const KEPT = 0.95;
/** The portrait in the repository. */
const PORTRAIT = 'scripts/assets/astronaut.png';

interface Sums {
  changed: number;
  readonly ours: TextureSums[];
  readonly plain: TextureSums[];
}

/**
 * Measures the effect of each level on texture and edges, with a blur of the skin as the baseline, and checks that
 * pixels outside the map do not change.
 */
export async function evaluateSkinTexture(
  host: EvalHost,
  findMap: SkinMap,
  pictures: readonly string[],
): Promise<readonly EvalRow[]> {
  const rows = pictures.length === 0 ? [] : await rowsOf(host, findMap, 'CCP', pictures);
  const portrait = resolve(PORTRAIT);
  const isThere = await access(portrait).then(
    () => true,
    () => false,
  );
  if (!isThere) return [...rows, missingRow('smooth_skin', PORTRAIT)];
  return [...rows, ...(await rowsOf(host, findMap, 'astronaut', [portrait]))];
}

async function rowsOf(
  host: EvalHost,
  findMap: SkinMap,
  set: string,
  pictures: readonly string[],
): Promise<readonly EvalRow[]> {
  const sums = new Map<Level, Sums>(LEVELS.map((level) => [level, { changed: 0, ours: [], plain: [] }]));
  for (const path of pictures) {
    const image = await readPicture(path);
    const map = await findMap(image);
    const texture = new SkinTexture(image, map);
    const plain = texture.compare(blurredSkin(image, map));
    for (const level of LEVELS) {
      host.onPicture(`smooth_skin ${level} ${set}`);
      const result = await enhanced(host.enhancer, host.version.routes[level], image);
      const sum = sums.get(level)!;
      sum.ours.push(texture.compare(result));
      sum.plain.push(plain);
      sum.changed += changedOutside(image, result, map);
    }
  }
  return LEVELS.flatMap((level) => levelRows(set, level, pictures.length, sums.get(level)!));
}

function levelRows(
  set: string,
  level: Level,
  count: number,
  { changed, ours, plain }: Sums,
): readonly EvalRow[] {
  const common = { operation: 'smooth_skin', level, set, count, published: [] };
  const row = (metric: string, measure: (sums: readonly TextureSums[]) => number, least: number): EvalRow => {
    const baseline = { name: 'blur', value: measure(plain) };
    return { ...common, metric, ours: measure(ours), baseline, target: atLeast(least) };
  };
  return [
    row('1–4 px energy falls', fallOf, FALL[level]),
    row('edges kept within 5%', keptOf, KEPT),
    { ...common, metric: 'values changed outside', ours: changed, baseline: null, target: atMost(0) },
  ];
}

const total = (sums: readonly TextureSums[], key: keyof TextureSums): number =>
  sums.reduce((sum, each) => sum + each[key], 0);
const fallOf = (sums: readonly TextureSums[]): number => 1 - total(sums, 'after') / total(sums, 'before');
const keptOf = (sums: readonly TextureSums[]): number => total(sums, 'kept') / total(sums, 'edges');

function changedOutside(before: RawImage, after: RawImage, map: Float32Array): number {
  let changed = 0;
  for (let at = 0; at < before.data.length; at++)
    if (map[Math.floor(at / 3)] === 0 && before.data[at] !== after.data[at]) changed++;
  return changed;
}
