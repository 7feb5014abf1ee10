import type { Config } from '../../config/env.js';
import type { Precision } from '../../models/compose/compose-stage.js';
import type { StageRef } from '../../models/manifest/model-route.js';

/** `auto`: the fastest precision that the device supports. Any other: used wherever a stage has a file in it. */
export type PrecisionChoice = Config['precision'];

/** A precision as the API shows it. */
export type PrecisionName = Exclude<PrecisionChoice, 'auto'>;

const NAMES = { fp32: 'float32', fp16: 'float16', int8: 'int8' } as const satisfies Record<
  Precision,
  PrecisionName
>;

/** The capabilities of a device. Each is measured once, when a stage needs it. */
export interface PrecisionProbes {
  readonly prefersInt8: () => Promise<boolean>;
  readonly prefersHalf: () => Promise<boolean>;
}

/** The precision in which a device runs a stage. */
export async function precisionOf(
  { fp16, int8 }: Pick<StageRef, 'fp16' | 'int8'>,
  choice: PrecisionChoice,
  { prefersInt8, prefersHalf }: PrecisionProbes,
): Promise<Precision> {
  const isAuto = choice === 'auto';
  if (int8 !== undefined && (choice === 'int8' || (isAuto && (await prefersInt8())))) return 'int8';
  if (fp16 !== undefined && (choice === 'float16' || (isAuto && (await prefersHalf())))) return 'fp16';
  return 'fp32';
}

/** The lowest of several precisions, which limits the accuracy of a result. */
export function lowestPrecision(precisions: readonly Precision[]): PrecisionName {
  const lowest = (['int8', 'fp16'] as const).find((candidate) => precisions.includes(candidate));
  return NAMES[lowest ?? 'fp32'];
}
