import { ModelsError } from '../models-command.js';
import { Unobtainable } from './download.js';
import { isAddress } from './model-sources.js';

/**
 * The SHA-256 that a server reports for a file: `Repr-Digest` (RFC 9530), `Digest` (RFC 3230), or the `X-Linked-ETag`
 * that Hugging Face sends with its redirect. It proves that the file arrived intact, not who made it.
 * @returns lowercase hex
 * @throws ModelsError when the server reports none
 */
export async function statedHash(source: string, signal: AbortSignal): Promise<string> {
  const stated = isAddress(source) ? await asked(source, signal) : undefined;
  if (stated !== undefined) return stated;
  const stater = isAddress(source) ? 'its server does not state one' : 'a folder states none';
  throw new ModelsError(
    `The catalog has no hash for ${source}, and ${stater}. Look it up on the publisher's site and pass it with --sha256 HEX.`,
  );
}

async function asked(address: string, signal: AbortSignal): Promise<string | undefined> {
  const answer = await fetch(address, { method: 'HEAD', redirect: 'manual', signal }).catch(
    (error: unknown) => {
      signal.throwIfAborted();
      throw new Unobtainable(`${address} cannot be reached (${(error as Error).message}).`);
    },
  );
  const linked = /^"?([0-9a-f]{64})"?$/i.exec(answer.headers.get('x-linked-etag') ?? '')?.[1];
  if (linked !== undefined) return linked.toLowerCase();
  const digest = answer.headers.get('repr-digest') ?? answer.headers.get('digest') ?? '';
  const base64 = /sha-256=:?([A-Za-z0-9+/]{43}=)/i.exec(digest)?.[1];
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64').toString('hex');
}
