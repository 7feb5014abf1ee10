import type { Job } from '../generated/schema.js';
import type { Transport } from '../http/transport.js';

/** Below the idle timeout of common proxies. */
const HOLD_SECONDS = 25;
const SPARE_MS = 15_000;

/** Requests a job once. `wasHeld` is true if the service held the response (`Prefer: wait`). */
export async function pollJob(
  transport: Transport,
  id: string,
  options: { readonly signal: AbortSignal; readonly mayHold: boolean },
): Promise<{ readonly job: Job; readonly wasHeld: boolean }> {
  return transport.send(
    {
      method: 'GET',
      path: `/ai/enhance/${encodeURIComponent(id)}`,
      ...(options.mayHold ? { headers: { prefer: `wait=${HOLD_SECONDS}` } } : {}),
    },
    // The caller decides how to handle broken connections.
    {
      signal: options.signal,
      maxRetries: 0,
      ...(options.mayHold ? { timeoutMs: HOLD_SECONDS * 1000 + SPARE_MS } : {}),
    },
    async (response) => ({
      job: (await response.json()) as Job,
      wasHeld: response.headers.has('preference-applied'),
    }),
  );
}
