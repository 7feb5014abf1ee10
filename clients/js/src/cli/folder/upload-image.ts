import { createHash } from 'node:crypto';
import { readFileInput, webAddress } from '../../files/file-input.js';
import type { Source } from '../../generated/schema.js';
import type { ImageEnhancement } from '../../node.js';
import { NODE_PLATFORM } from '../../platform/node.js';

/** Uploads an image once, no matter how often a run is restarted: the idempotency key includes its bytes. */
export async function uploadImage(
  client: ImageEnhancement,
  file: string,
  key: string,
  { signal, direct }: { readonly signal: AbortSignal; readonly direct: boolean },
): Promise<Source> {
  const digest = (content: string | Uint8Array) =>
    createHash('sha256').update(content).digest('hex').slice(0, 32);
  if (webAddress(file) !== undefined) {
    return client.upload(file, { idempotencyKey: `${key}-${digest(file)}`, signal });
  }
  const blob = await readFileInput(file, NODE_PLATFORM, signal);
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return client.upload(blob, { idempotencyKey: `${key}-${digest(bytes)}`, signal, direct });
}
