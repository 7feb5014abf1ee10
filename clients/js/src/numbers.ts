import { ImageEnhancementError } from './errors.js';

/**
 * Rejects values that are not numbers. Every comparison with NaN is false, so a limit of NaN would mean no limit:
 * endless waits, endless retries, and webhooks of any age. The usual cause is a missing or misspelled setting.
 * @returns the value
 * @throws ImageEnhancementError `invalid_option`
 */
export function checkedNumber(
  name: string,
  value: unknown,
  range: { readonly min?: number; readonly isFinite?: boolean } = {},
): number {
  const { min = -Infinity, isFinite = false } = range;
  // The type is `unknown` for callers without types.
  if (typeof value === 'number' && value >= min && (!isFinite || Number.isFinite(value))) return value;
  const wanted = `a ${isFinite ? 'finite ' : ''}number${min === -Infinity ? '' : ` of at least ${min}`}`;
  throw new ImageEnhancementError(
    'invalid_option',
    `${name} must be ${wanted}, not ${typeof value === 'string' ? `the text "${value}"` : String(value)}.`,
  );
}
