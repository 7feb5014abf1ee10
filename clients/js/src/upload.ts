import { type FileInput, readFileInput } from './files/file-input.js';
import type { Source } from './generated/schema.js';
import { newIdempotencyKey } from './http/idempotency-key.js';
import type { Transport } from './http/transport.js';
import type { CreateOptions } from './options.js';

const TIMEOUT_MS = 300_000;

/** Uploads one image; its `url` is what jobs are made from. */
export async function upload(
  transport: Transport,
  file: FileInput,
  options: CreateOptions = {},
): Promise<Source> {
  const blob = await readFileInput(file, transport.platform);
  options.signal?.throwIfAborted();
  const form = new FormData();
  form.set('file', blob, blob instanceof File ? blob.name : 'image');
  return transport.json(
    {
      method: 'POST',
      path: '/ai/upload',
      body: form,
      idempotencyKey: options.idempotencyKey ?? newIdempotencyKey(),
    },
    { timeoutMs: TIMEOUT_MS, ...options },
  );
}
