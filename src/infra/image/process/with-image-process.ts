import { AppError } from '../../../kernel/app-error.js';
import type { ImageProcessPool, PooledProcess } from './image-process-pool.js';
import { ImageProcessLost } from './image-process.js';

/** A killed process says nothing about the image, so a new process retries once. */
const ATTEMPTS = 2;
const RETRY_AFTER_SECONDS = 30;

export interface ImageTask {
  /** The activity: "decoding" or "encoding". */
  readonly verb: string;
  /** The refusal when the process crashed, sent an invalid response, or missed the deadline that `work` enforces. */
  readonly refuse: (loss: ImageProcessLost) => AppError;
  /** Kills the process at once, and ends the wait for a free process. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Processes one image in a process of a pool, and decides whether the image or the machine caused a loss of the
 * process.
 * @throws AppError of `refuse`; `service_unavailable` when the process was killed twice; the reason of the signal;
 * errors of `work`
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

/** A malicious file may have taken over a process that sends invalid responses: it must not see another file. */
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
    // For callers that recognize machine errors by their code.
    cause: Object.assign(loss, { code: 'ENOMEM' }),
  });
}
