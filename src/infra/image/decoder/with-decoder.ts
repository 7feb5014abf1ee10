import { AppError } from '../../../kernel/app-error.js';
import { damaged } from '../codec/refusals.js';
import type { Decoder, DecoderPool } from './decoder-pool.js';
import { DecoderLost } from './decoder-process.js';

/** A process that somebody killed is no fault of the file; a fresh one tries once more. */
const ATTEMPTS = 2;
const RETRY_AFTER_SECONDS = 30;

/**
 * Has one file looked at by a process of a pool, and decides who is at fault when that process is lost.
 * @param deadlineMs for the sentence of the refusal; `work` enforces it
 * @throws AppError `undecodable_image` when the process crashed, gave nonsense or missed the deadline;
 * `service_unavailable` when it was killed twice; what `work` throws
 */
export async function withDecoder<T>(
  pool: DecoderPool,
  deadlineMs: number,
  work: (decoder: Decoder) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await pool.use((decoder) => orKill(decoder, work));
    } catch (error) {
      if (!(error instanceof DecoderLost)) throw error;
      if (error.how !== 'killed' || attempt === ATTEMPTS) throw refusalOfLoss(error, deadlineMs);
    }
  }
}

/** A process that gave nonsense may be in the hands of whoever made the file: it must not see another one. */
async function orKill<T>(decoder: Decoder, work: (decoder: Decoder) => Promise<T>): Promise<T> {
  try {
    return await work(decoder);
  } catch (error) {
    if (error instanceof DecoderLost) decoder.process.condemn(error);
    throw error;
  }
}

function refusalOfLoss(loss: DecoderLost, deadlineMs: number): AppError {
  if (loss.how === 'deadline')
    return damaged(`decoding it takes longer than ${Math.round(deadlineMs / 100) / 10} seconds`, loss);
  if (loss.how !== 'killed') return damaged('its decoder failed', loss);
  return new AppError('service_unavailable', {
    detail: 'The service ran out of memory while it decoded the image. Nothing was charged; try again later.',
    internal: loss.message,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    // For callers that tell faults of the machine by their code.
    cause: Object.assign(loss, { code: 'ENOMEM' }),
  });
}
