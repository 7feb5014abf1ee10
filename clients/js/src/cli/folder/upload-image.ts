import { createHash } from 'node:crypto';
import { readFileInput, webAddress } from '../../files/file-input.js';
import type { Source } from '../../generated/schema.js';
import type { ImageEnhancement } from '../../node.js';
import { NODE_PLATFORM } from '../../platform/node.js';

interface UploadLimits {
  readonly signal: AbortSignal;
  readonly timeoutMs: number | undefined;
  readonly direct: boolean;
}

/** Uploads an image once, no matter how often a run is restarted: the idempotency key includes its bytes. */
export async function uploadImage(
  client: ImageEnhancement,
  file: string,
  key: string,
  { direct, ...options }: UploadLimits,
): Promise<Source> {
  const digest = (content: string | Uint8Array) =>
    createHash('sha256').update(content).digest('hex').slice(0, 32);
  if (webAddress(file) !== undefined) {
    return client.upload(file, { ...options, idempotencyKey: `${key}-${digest(file)}` });
  }
  const blob = await readFileInput(file, NODE_PLATFORM, options.signal);
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return client.upload(blob, { ...options, idempotencyKey: `${key}-${digest(bytes)}`, direct });
}
