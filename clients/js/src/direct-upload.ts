import type { DirectUpload, Source } from './generated/schema.js';
import { sha256 } from './http/sha256.js';
import type { Transport } from './http/transport.js';
import type { RequestOptions } from './options.js';

/** Options of every request of an upload. */
interface DirectUploadCall {
  readonly options: RequestOptions;
  /** Called with the response that completes the upload. */
  readonly onResponse: (response: Response) => void;
}

/**
 * Sends a file straight to the object store of the service: creates the upload, sends the file, and completes the
 * upload. Each step may be repeated; an upload that is never completed costs nothing and expires.
 * @throws PermissionError `feature_disabled` if the service does not offer direct uploads
 */
export async function uploadDirectly(
  transport: Transport,
  file: File,
  { options, onResponse }: DirectUploadCall,
): Promise<Source> {
  const digest = await sha256(new Uint8Array(await file.arrayBuffer()));
  const body = { bytes: file.size, fileName: file.name, ...(digest === null ? {} : { sha256: digest }) };
  const create = { method: 'POST', path: PATH, body, isRepeatable: true } as const;
  const { id, uploadUrl, headers } = await transport.json<DirectUpload>(create, options);
  await transport.uploadTo(uploadUrl, { headers, body: file }, options);
  const path = `${PATH}/${encodeURIComponent(id)}/complete`;
  const complete = { method: 'POST', path, isRepeatable: true, onResponse } as const;
  return transport.json<Source>(complete, options);
}

const PATH = '/ai/uploads';
