import type { NamedTensors } from '../tensor.js';
import type { DeviceOutcome } from './device-port.js';

/** Runs items together and gives their outputs in order; throws when the batch as a whole fails. */
export type RunItems<Item> = (items: readonly Item[]) => Promise<readonly NamedTensors[]>;

/**
 * Runs a batch; when it fails, each of its items again alone, so that a bad item of one job does not fail the
 * jobs it happened to travel with, and a batch too large for the memory still ends.
 */
export async function runBatch<Item>(
  run: RunItems<Item>,
  items: readonly Item[],
): Promise<readonly DeviceOutcome[]> {
  try {
    return (await run(items)).map((tensors) => ({ ok: true, tensors }));
  } catch (error) {
    if (items.length === 1)
      return [{ ok: false, message: error instanceof Error ? error.message : String(error) }];
  }
  const outcomes: DeviceOutcome[] = [];
  for (const item of items) outcomes.push(...(await runBatch(run, [item])));
  return outcomes;
}
