import { TimeoutError } from './errors.js';
import { type FileInput, readFileInput, webAddress } from './files/file-input.js';
import type { Source } from './generated/schema.js';
import { ApiPromise } from './http/api-promise.js';
import { Deadline } from './http/deadline.js';
import { newIdempotencyKey } from './http/idempotency-key.js';
import { throwIfAborted } from './http/throw-if-aborted.js';
import type { Transport } from './http/transport.js';
import type { CreateOptions } from './options.js';

const TIMEOUT_MS = 300_000;

/** Uploads one image, or has the service fetch it from the web; its `url` is what jobs are made from. */
export function upload(
  transport: Transport,
  file: FileInput | URL,
  options: CreateOptions = {},
): ApiPromise<Source> {
  return ApiPromise.of(async (onResponse) => {
    const address = webAddress(file);
    const body =
      address === undefined ? await formOf(transport, file as FileInput, options) : { url: address.href };
    const idempotencyKey = options.idempotencyKey ?? newIdempotencyKey();
    const request = { method: 'POST', path: '/ai/upload', body, idempotencyKey, onResponse } as const;
    return transport.json<Source>(request, { timeoutMs: TIMEOUT_MS, ...options });
  });
}

async function formOf(transport: Transport, file: FileInput, options: CreateOptions): Promise<FormData> {
  const blob = await readInTime(transport, file, options);
  const form = new FormData();
  form.set('file', blob, blob instanceof File ? blob.name : 'image');
  return form;
}

/** Reading has the time of a request to itself: a stream may fall silent as a service may. */
async function readInTime(transport: Transport, file: FileInput, options: CreateOptions): Promise<Blob> {
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  const deadline = new Deadline(timeoutMs, options.signal);
  try {
    return await readFileInput(file, transport.platform, deadline.signal);
  } catch (error) {
    throwIfAborted(options.signal);
    if (deadline.isOver) {
      throw new TimeoutError(`The image could not be read to its end within ${timeoutMs / 1000} s.`);
    }
    throw error;
  } finally {
    deadline.release();
  }
}
