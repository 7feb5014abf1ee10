import { livemodeOf } from '../../kernel/accounts/livemode.js';
import { type Level, LEVELS, type SPECIFIED_OPERATIONS } from '../../kernel/operations.js';
import type { CatalogOperation } from '../../models/repository/described-versions.js';
import { TEST_MODEL } from './test-model.js';

const SAME_SIZE: Readonly<Record<Level, number>> = { low: 1, medium: 1, high: 1 };
const STRENGTHS: Readonly<Record<Level, number>> = { low: 0.5, medium: 0.75, high: 1 };

/** What the built-in models of the specified operations do with the size of an image. */
const DRAWN: readonly CatalogOperation[] = [
  drawn('smooth_skin', { scales: SAME_SIZE, producesAlpha: false, strengths: STRENGTHS }),
  drawn('upscale', { scales: { low: 2, medium: 2, high: 4 }, producesAlpha: false }),
  drawn('auto_enhance', { scales: SAME_SIZE, producesAlpha: false, strengths: STRENGTHS }),
  drawn('bg_remove', { scales: SAME_SIZE, producesAlpha: true }),
];

/**
 * The operations that an account may ask for. In test mode also those of the specification that no worker serves:
 * drawing needs no model.
 */
export function operationsInMode(
  accountId: string,
  offered: readonly CatalogOperation[],
): readonly CatalogOperation[] {
  if (livemodeOf(accountId)) return offered;
  const names = new Set(offered.map(({ operation }) => operation));
  return [...offered, ...DRAWN.filter(({ operation }) => !names.has(operation))];
}

function drawn(
  operation: (typeof SPECIFIED_OPERATIONS)[number],
  size: Pick<CatalogOperation, 'scales' | 'producesAlpha' | 'strengths'>,
): CatalogOperation {
  return { operation, description: 'Drawn in test mode.', levels: LEVELS, model: TEST_MODEL, ...size };
}
