import { ImageEnhancementError } from '../../errors.js';
import type { Output } from '../../generated/schema.js';
import type { JobTerms } from '../../jobs/order.js';
import type { ImageEnhancement } from '../../node.js';
import { requestedOutput } from '../preset-output.js';
import type { ToolArguments } from './tool-arguments.js';

/**
 * The order that the arguments of a tool give.
 * @param usual output options that `output` may change
 */
export async function requestedOrder(
  client: ImageEnhancement,
  args: ToolArguments,
  usual: Output,
  signal: AbortSignal,
): Promise<JobTerms> {
  const { output: given, ...order } = args.order();
  const { preset } = order;
  const isRepeated = args.text('idempotencyKey') !== undefined;
  try {
    const output = await requestedOutput(client, preset, { ...usual, ...given }, signal);
    return { ...order, ...(output === undefined ? {} : { output }) };
  } catch (error) {
    const isMissing = error instanceof ImageEnhancementError && error.code === 'preset_not_found';
    throw isMissing && isRepeated ? presetGone(preset!, error) : error;
  }
}

/** Without the output of the preset, the request would not be the one that the key belongs to. */
function presetGone(preset: string, cause: Error): ImageEnhancementError {
  return new ImageEnhancementError(
    'preset_not_found',
    `There is no preset ${preset}, so this call cannot be repeated with its idempotencyKey: that needs the same preset, unchanged. What the first call created, if anything, is listed in the dashboard.`,
    { cause },
  );
}
