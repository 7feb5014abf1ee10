import { ImageEnhancementError } from './errors.js';

/**
 * Every comparison with what is no number is false, so a limit of NaN is none at all: a wait without end, retries
 * without end, webhooks of any age. It comes of a setting that is missing or misspelt, and is refused instead.
 * @returns the value @throws ImageEnhancementError `invalid_option`
 */
export function checkedNumber(
  name: string,
  value: unknown,
  range: { readonly min?: number; readonly isFinite?: boolean } = {},
): number {
  const { min = -Infinity, isFinite = false } = range;
  // Unknown, for those who call without types.
  if (typeof value === 'number' && value >= min && (!isFinite || Number.isFinite(value))) return value;
  const wanted = `a ${isFinite ? 'finite ' : ''}number${min === -Infinity ? '' : ` of at least ${min}`}`;
  throw new ImageEnhancementError(
    'invalid_option',
    `${name} must be ${wanted}, not ${typeof value === 'string' ? `the text "${value}"` : String(value)}.`,
  );
}
