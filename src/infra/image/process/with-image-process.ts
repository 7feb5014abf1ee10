import { AppError } from '../../../kernel/app-error.js';
import type { ImageProcessPool, PooledProcess } from './image-process-pool.js';
import { ImageProcessLost } from './image-process.js';

/** A process that somebody killed is no fault of the image; a fresh one tries once more. */
const ATTEMPTS = 2;
const RETRY_AFTER_SECONDS = 30;

export interface ImageTask {
  /** What is done to the image: "decoding" or "encoding". */
  readonly verb: string;
  /** What a caller is told when the process crashed, gave nonsense or missed the deadline that `work` enforces. */
  readonly refuse: (loss: ImageProcessLost) => AppError;
  /** Ends the process at once, and the wait for one. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Has one image worked on by a process of a pool, and decides who is at fault when that process is lost.
 * @throws AppError that of `refuse`; `service_unavailable` when the process was killed twice; the reason of the
 * signal; what `work` throws
 */
export async function withImageProcess<T>(
  pool: ImageProcessPool,
  { verb, refuse, signal }: ImageTask,
  work: (pooled: PooledProcess) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await pool.use((pooled) => orKill(pooled, work, signal), signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof ImageProcessLost)) throw error;
      if (error.how !== 'killed') throw refuse(error);
      if (attempt === ATTEMPTS) throw outOfMemory(error, verb);
    }
  }
}

/** A process that gave nonsense may be in the hands of whoever made the file: it must not see another one. */
async function orKill<T>(
  pooled: PooledProcess,
  work: (pooled: PooledProcess) => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  const stop = (): void => pooled.process.condemn(new ImageProcessLost('stopped', 'was stopped'));
  signal?.addEventListener('abort', stop, { once: true });
  try {
    return await work(pooled);
  } catch (error) {
    if (error instanceof ImageProcessLost) pooled.process.condemn(error);
    throw error;
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

function outOfMemory(loss: ImageProcessLost, verb: string): AppError {
  return new AppError('service_unavailable', {
    detail: `The service ran out of memory while ${verb} the image. Nothing was charged. Try again later.`,
    internal: loss.message,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    // For callers that tell faults of the machine by their code.
    cause: Object.assign(loss, { code: 'ENOMEM' }),
  });
}
