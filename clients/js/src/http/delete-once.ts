import { GoneError, NotFoundError } from '../errors.js';
import type { RequestOptions } from '../options.js';
import type { Transport } from './transport.js';

/**
 * Deletes something. When the answer to an attempt was lost and the next one hears that it is gone, that is what was
 * wanted.
 */
export async function deleteOnce(transport: Transport, path: string, options: RequestOptions): Promise<void> {
  let attempts = 0;
  const request = {
    method: 'DELETE',
    path,
    onAttempt: () => (attempts += 1),
  } as const;
  try {
    await transport.send(request, options, () => Promise.resolve());
  } catch (error) {
    const isGone = error instanceof GoneError || error instanceof NotFoundError;
    if (!isGone || attempts === 1) throw error;
  }
}
