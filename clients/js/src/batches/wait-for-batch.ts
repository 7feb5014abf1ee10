import { TimeoutError } from '../errors.js';
import type { BatchDetail } from '../generated/schema.js';
import { Deadline } from '../http/deadline.js';
import { throwIfAborted } from '../http/throw-if-aborted.js';
import type { Transport } from '../http/transport.js';
import { WaitPace } from '../http/wait-pace.js';

/** How to wait for a batch. */
export interface BatchWaitOptions {
  /** Stops waiting. The batch continues. */
  readonly signal?: AbortSignal | undefined;
  /** Maximum wait, in milliseconds. Default: no limit. */
  readonly timeoutMs?: number | undefined;
  /** Called with each new state, including `counts` and `percent`. */
  readonly onProgress?: ((batch: BatchDetail) => void) | undefined;
}

/**
 * Polls a batch with growing pauses until every item has ended. Continues after broken connections and restarts of the
 * service.
 * @throws TimeoutError, ApiError, ConnectionError, AbortedError
 */
export async function waitForBatch(
  transport: Transport,
  id: string,
  options: BatchWaitOptions,
): Promise<BatchDetail> {
  const { timeoutMs = Infinity } = options;
  const deadline = new Deadline(timeoutMs, options.signal);
  try {
    return await untilEnd(transport, id, deadline.signal, options.onProgress);
  } catch (error) {
    throwIfAborted(options.signal);
    if (!deadline.isOver) throw error;
    throw new TimeoutError(
      `The batch ${id} had not ended after ${timeoutMs / 1000} s. It goes on: batches.wait(id) waits for it again.`,
    );
  } finally {
    deadline.release();
  }
}

async function untilEnd(
  transport: Transport,
  id: string,
  signal: AbortSignal,
  onProgress: BatchWaitOptions['onProgress'],
): Promise<BatchDetail> {
  const path = `/ai/batches/${encodeURIComponent(id)}`;
  const pace = new WaitPace(signal);
  let told = '';
  for (;;) {
    try {
      const batch = await transport.json<BatchDetail>({ method: 'GET', path }, { signal, maxRetries: 0 });
      pace.answered();
      const telling = `${batch.status} ${JSON.stringify(batch.counts)}`;
      if (telling !== told) onProgress?.(batch);
      told = telling;
      if (batch.completedAt !== null) return batch;
    } catch (error) {
      pace.consider(error);
    }
    await pace.rest();
  }
}
