import { GoneError, NotFoundError } from '../errors.js';
import type { RequestOptions } from '../options.js';
import type { Transport } from './transport.js';
import { UnacknowledgedAttempts } from './unacknowledged-attempts.js';

/**
 * Deletes a resource. If the response to an earlier attempt was lost and a later one reports that the resource is gone,
 * the deletion has succeeded. If the resource was unknown from the start, or the earlier requests were rejected, throws
 * the error.
 */
export async function deleteOnce(transport: Transport, path: string, options: RequestOptions): Promise<void> {
  const unheard = new UnacknowledgedAttempts();
  try {
    await transport.send({ method: 'DELETE', path, ...unheard.watch }, options, () => Promise.resolve());
  } catch (error) {
    const isGone = error instanceof GoneError || error instanceof NotFoundError;
    if (!isGone || !unheard.hasAny) throw error;
  }
}
