import { plural, t } from '@lingui/core/macro';
import type { JobOperation } from 'image-enhancement-client';
import { formatNumber, operationLabel } from './format.js';

/** The fields of a job's operation that its text needs. */
export type NamedStep = Pick<JobOperation, 'operation' | 'level'> &
  Partial<Pick<JobOperation, 'strength' | 'width' | 'height' | 'fit'>>;

const LEVEL_WORDS: Readonly<Record<string, string>> = { low: t`low`, medium: t`medium`, high: t`high` };

/** `Smooth skin → Upscale → Remove background`: the operations of a job, in order. */
export function stepsLabel(steps: readonly Pick<NamedStep, 'operation'>[]): string {
  return steps.map(({ operation }) => operationLabel(operation)).join(' → ');
}

/** `medium`, `strength 0.35`, or `high, 3,000 × 2,000`: the requested options of an operation. */
export function stepOptions({ level, strength, width, height, fit }: NamedStep): string {
  const amount =
    strength === undefined ? (LEVEL_WORDS[level] ?? level) : t`strength ${formatNumber(strength)}`;
  if (width === undefined && height === undefined) return amount;
  const size = `${width ?? t`auto`} × ${height ?? t`auto`}`;
  return `${amount}, ${size}${fit === undefined || fit === 'inside' ? '' : ` (${fit})`}`;
}

/** `medium` for a single operation, `3 steps` for a chain. */
export function stepsAmount(steps: readonly NamedStep[]): string {
  const [only] = steps;
  return steps.length === 1 && only !== undefined
    ? stepOptions(only)
    : plural(steps.length, { one: '# step', other: '# steps' });
}

/** `Upscale, medium`, or `Smooth skin → Upscale`: a job in one line. */
export function jobLabel(steps: readonly NamedStep[]): string {
  const [only] = steps;
  return steps.length === 1 && only !== undefined
    ? `${stepsLabel(steps)}, ${stepOptions(only)}`
    : stepsLabel(steps);
}
