import { uploadDirectly } from './direct-upload.js';
import { TimeoutError } from './errors.js';
import { type FileInput, readFileInput, webAddress } from './files/file-input.js';
import { fileWithProgress } from './files/file-with-progress.js';
import type { Source } from './generated/schema.js';
import { ApiPromise } from './http/api-promise.js';
import { Deadline } from './http/deadline.js';
import { newIdempotencyKey } from './http/idempotency-key.js';
import { throwIfAborted } from './http/throw-if-aborted.js';
import type { Transport } from './http/transport.js';
import type { CreateOptions, RequestOptions, UploadOptions } from './options.js';

/** Uploads one image, or makes the service fetch it from the web. Create jobs with the `url` of the returned source. */
export function upload(
  transport: Transport,
  file: FileInput | URL,
  { direct, onProgress, ...options }: UploadOptions = {},
): ApiPromise<Source> {
  return ApiPromise.of(async (onResponse) => {
    const patient = transport.forFile(options);
    const address = webAddress(file);
    if (address !== undefined) return send(transport, { url: address.href }, patient, onResponse);
    const blob = fileWithProgress(await readInTime(transport, file as FileInput, patient), onProgress);
    const source = await (direct === true
      ? uploadDirectly(transport, blob, { options: patient, onResponse })
      : send(transport, formOf(blob), patient, onResponse));
    onProgress?.({ sentBytes: blob.size, totalBytes: blob.size });
    return source;
  });
}

function send(
  transport: Transport,
  body: object,
  options: CreateOptions,
  onResponse: (response: Response) => void,
): Promise<Source> {
  const idempotencyKey = options.idempotencyKey ?? newIdempotencyKey();
  const request = { method: 'POST', path: '/ai/upload', body, idempotencyKey, onResponse } as const;
  return transport.json<Source>(request, options);
}

function formOf(file: File): FormData {
  const form = new FormData();
  form.set('file', file, file.name);
  return form;
}

/** Reading the input has its own timeout, as long as that of a request, because a stream can stall like a service. */
async function readInTime(
  transport: Transport,
  file: FileInput,
  { timeoutMs, signal }: RequestOptions & { readonly timeoutMs: number },
): Promise<Blob> {
  const deadline = new Deadline(timeoutMs, signal);
  try {
    return await readFileInput(file, transport.platform, deadline.signal);
  } catch (error) {
    throwIfAborted(signal);
    if (deadline.isOver) {
      throw new TimeoutError(`The image could not be read to its end within ${timeoutMs / 1000} s.`);
    }
    throw error;
  } finally {
    deadline.release();
  }
}
