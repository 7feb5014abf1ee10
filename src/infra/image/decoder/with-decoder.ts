import { AppError } from '../../../kernel/app-error.js';
import { damaged } from '../codec/refusals.js';
import type { Decoder, DecoderPool } from './decoder-pool.js';
import { DecoderLost } from './decoder-process.js';

/** A process that somebody killed is no fault of the file; a fresh one tries once more. */
const ATTEMPTS = 2;
const RETRY_AFTER_SECONDS = 30;

export interface DecoderTask {
  /** For the sentence of the refusal; the work enforces it. */
  readonly deadlineMs: number;
  /** Ends the process at once, and the wait for one. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Has one file looked at by a process of a pool, and decides who is at fault when that process is lost.
 * @throws AppError `undecodable_image` when the process crashed, gave nonsense or missed the deadline;
 * `service_unavailable` when it was killed twice; the reason of the signal; what `work` throws
 */
export async function withDecoder<T>(
  pool: DecoderPool,
  { deadlineMs, signal }: DecoderTask,
  work: (decoder: Decoder) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await pool.use((decoder) => orKill(decoder, work, signal), signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof DecoderLost)) throw error;
      if (error.how !== 'killed' || attempt === ATTEMPTS) throw refusalOfLoss(error, deadlineMs);
    }
  }
}

/** A process that gave nonsense may be in the hands of whoever made the file: it must not see another one. */
async function orKill<T>(
  decoder: Decoder,
  work: (decoder: Decoder) => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  const stop = (): void => decoder.process.condemn(new DecoderLost('stopped', 'was stopped'));
  signal?.addEventListener('abort', stop, { once: true });
  try {
    return await work(decoder);
  } catch (error) {
    if (error instanceof DecoderLost) decoder.process.condemn(error);
    throw error;
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

function refusalOfLoss(loss: DecoderLost, deadlineMs: number): AppError {
  if (loss.how === 'deadline')
    return damaged(`decoding takes longer than ${Math.round(deadlineMs / 100) / 10} seconds`, loss);
  if (loss.how !== 'killed') return damaged('the decoder failed', loss);
  return new AppError('service_unavailable', {
    detail: 'The service ran out of memory while decoding the image. Nothing was charged. Try again later.',
    internal: loss.message,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    // For callers that tell faults of the machine by their code.
    cause: Object.assign(loss, { code: 'ENOMEM' }),
  });
}
