import { GoneError, NotFoundError } from '../errors.js';
import type { RequestOptions } from '../options.js';
import type { Transport } from './transport.js';
import { UnacknowledgedAttempts } from './unacknowledged-attempts.js';

/**
 * Deletes something. When the answer to an attempt was lost and the next one hears that it is gone, that is what was
 * wanted; when it is unknown from the start, or after requests that were refused, the error stands.
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
