import { ImageEnhancementError } from '../errors.js';

const WHAT = ['operation', 'operations', 'preset'] as const;

/**
 * Checks that a call says what to do with its image, before anything is uploaded. Types require it, but not every
 * caller has types.
 * @throws ImageEnhancementError `invalid_option`
 */
export function checkOrder(order: unknown): void {
  const fields: Partial<Record<string, unknown>> = typeof order === 'object' && order !== null ? order : {};
  // A value of null is none, as in JSON and in the Python client.
  if (WHAT.filter((name) => (fields[name] ?? undefined) !== undefined).length === 1) return;
  throw new ImageEnhancementError(
    'invalid_option',
    `Give exactly one of ${WHAT.join(', ')}, such as { operation: 'upscale' }.`,
  );
}
