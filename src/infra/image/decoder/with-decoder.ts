import type { AppError } from '../../../kernel/app-error.js';
import { damaged } from '../codec/refusals.js';
import type { ImageProcessPool, PooledProcess } from '../process/image-process-pool.js';
import type { ImageProcessLost } from '../process/image-process.js';
import { withImageProcess } from '../process/with-image-process.js';

export interface DecoderTask {
  /** The reason of the refusal when `work` missed its deadline: "This file isn't a valid image: …". */
  readonly tooSlow: string;
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
  { tooSlow, signal }: DecoderTask,
  work: (pooled: PooledProcess) => Promise<T>,
): Promise<T> {
  const refuse = (loss: ImageProcessLost): AppError =>
    damaged(loss.how === 'deadline' ? tooSlow : 'the decoder failed', loss);
  return withImageProcess(pool, { verb: 'decoding', refuse, signal }, work);
}
