import type { AppError } from '../../../kernel/app-error.js';
import { damaged } from '../codec/refusals.js';
import type { ImageProcessPool, PooledProcess } from '../process/image-process-pool.js';
import type { ImageProcessLost } from '../process/image-process.js';
import { withImageProcess } from '../process/with-image-process.js';

export interface DecoderTask {
  /** For the sentence of the refusal; the work enforces it. */
  readonly deadlineMs: number;
  /** Ends the process at once, and the wait for one. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Has one file looked at by a decoder.
 * @throws AppError `undecodable_image` when the process crashed, gave nonsense or missed the deadline; else as
 * `withImageProcess`
 */
export function withDecoder<T>(
  pool: ImageProcessPool,
  { deadlineMs, signal }: DecoderTask,
  work: (pooled: PooledProcess) => Promise<T>,
): Promise<T> {
  const refuse = (loss: ImageProcessLost): AppError => refusalOfLoss(loss, deadlineMs);
  return withImageProcess(pool, { verb: 'decoding', refuse, signal }, work);
}

function refusalOfLoss(loss: ImageProcessLost, deadlineMs: number): AppError {
  if (loss.how !== 'deadline') return damaged('the decoder failed', loss);
  return damaged(`decoding takes longer than ${Math.round(deadlineMs / 100) / 10} seconds`, loss);
}
