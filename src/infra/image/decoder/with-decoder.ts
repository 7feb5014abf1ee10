import type { AppError } from '../../../kernel/app-error.js';
import { damaged } from '../codec/refusals.js';
import type { ImageProcessPool, PooledProcess } from '../process/image-process-pool.js';
import type { ImageProcessLost } from '../process/image-process.js';
import { withImageProcess } from '../process/with-image-process.js';

export interface DecoderTask {
  /** For the message of the refusal; `work` enforces it. */
  readonly deadlineMs: number;
  /** Kills the process at once, and ends the wait for a free process. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Processes one file in a decoder process.
 * @throws AppError `undecodable_image` when the process crashed, sent an invalid response, or missed the deadline;
 * otherwise the errors of `withImageProcess`
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
  return damaged(`decoding took longer than ${Math.round(deadlineMs / 100) / 10} seconds`, loss);
}
