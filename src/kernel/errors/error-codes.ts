import { DASHBOARD_ERROR_CODES } from './dashboard-error-codes.js';
import { entry, type ErrorCodeEntry } from './error-code-entry.js';

/**
 * All errors that a client can get. The problem documents, the OpenAPI document and docs/errors.md are
 * generated from this table; a test compares them in both directions.
 */
export const ERROR_CODES = {
  malformed_json: entry(
    400,
    'Malformed JSON',
    false,
    "The request body isn't valid JSON. `detail` gives the position of the first error.",
  ),
  invalid_request: entry(
    400,
    'Invalid request',
    false,
    'A field is missing, unknown or invalid. `errors` lists every invalid field.',
  ),
  invalid_cursor: entry(
    400,
    'Invalid cursor',
    false,
    'The `cursor` is invalid. Use the `nextCursor` of the previous page, or start again without a cursor.',
  ),
  invalid_multipart: entry(
    400,
    'Invalid multipart body',
    false,
    'Send `multipart/form-data` with exactly one part named `file`.',
  ),
  invalid_source_url: entry(
    400,
    'Invalid source URL',
    false,
    "`sourceUrl` isn't the URL of an upload in your account. Use the `url` that the upload returned.",
  ),
  content_digest_mismatch: entry(
    400,
    'Content digest mismatch',
    false,
    "The body doesn't match the `Content-Digest` header. Nothing was stored. Compute the digest over the whole body as it is sent, and check whether a proxy changes the body.",
  ),
  unauthorized: entry(
    401,
    'API key missing or invalid',
    false,
    'Send a valid, unexpired API key in the `x-api-key` header. Bearer tokens are not accepted.',
  ),
  insufficient_scope: entry(
    403,
    'Insufficient scope',
    false,
    'The API key lacks a scope that this operation requires. `detail` lists the required scopes and those of the key.',
  ),
  address_not_allowed: entry(
    403,
    'IP address not allowed',
    false,
    'The API key is restricted to certain IP addresses, and this request came from a different address. `detail` contains the address of the request. The owner of the key can change the list in the dashboard.',
  ),
  account_suspended: entry(
    403,
    'Account suspended',
    false,
    'The operator of this service has suspended the account. `detail` gives the reason. Requests are refused until the account is resumed; nothing was deleted.',
  ),
  quota_exceeded: entry(
    403,
    'Quota exceeded',
    false,
    'The account has used all of its monthly enhancements or its storage. See `quota`, `limit`, `used`, `resetsAt` and `upgrade`.',
  ),
  feature_disabled: entry(
    403,
    'Feature disabled',
    false,
    'The operator of this service has disabled this feature. `detail` says which one, and what to use instead.',
  ),
  not_found: entry(404, 'Not found', false, 'The resource does not exist in your account.'),
  preset_not_found: entry(
    404,
    'Preset not found',
    false,
    'No preset has this name: neither a built-in preset nor one in your account. `GET /api/ai/presets` lists all of them.',
  ),
  method_not_allowed: entry(
    405,
    'Method not allowed',
    false,
    "This route doesn't support the HTTP method of the request. The `Allow` header lists the methods that it supports.",
  ),
  upload_timeout: entry(
    408,
    'Upload timed out',
    true,
    'The upload was too slow and was canceled. Nothing was stored.',
  ),
  idempotency_in_progress: entry(
    409,
    'Request in progress',
    true,
    'A request with the same `Idempotency-Key` is still in progress. Retry after `Retry-After` seconds.',
  ),
  upload_incomplete: entry(
    409,
    'Upload incomplete',
    true,
    "The file for this direct upload is missing, or it doesn't match the size or SHA-256 that the upload was created with. Send the file to `uploadUrl`, then complete the upload again.",
  ),
  job_already_finished: entry(
    409,
    'Job already finished',
    false,
    "The job has already completed or failed, so it can't be canceled.",
  ),
  batch_already_finished: entry(
    409,
    'Batch already finished',
    false,
    "Every item of the batch has already ended, so it can't be canceled.",
  ),
  batch_not_finished: entry(
    409,
    'Batch not finished',
    true,
    'Some items of the batch have not ended yet. Poll the batch until its `completedAt` is set.',
  ),
  nothing_to_retry: entry(
    409,
    'Nothing to retry',
    false,
    'No item of the batch has failed. Canceled items are retried only with `includeCanceled`.',
  ),
  preset_read_only: entry(
    409,
    'Preset is read-only',
    false,
    "Built-in presets can't be changed or deleted. Save yours under another name.",
  ),
  preset_limit_reached: entry(
    409,
    'Preset limit reached',
    false,
    'An account can have at most 50 presets of its own. Delete one and try again.',
  ),
  endpoint_limit_reached: entry(
    409,
    'Webhook endpoint limit reached',
    false,
    'An account can have at most 20 webhook endpoints. Delete one and try again.',
  ),
  endpoint_disabled: entry(
    409,
    'Webhook endpoint disabled',
    false,
    'The webhook endpoint is disabled. Enable it and try again.',
  ),
  gone: entry(410, 'Gone', false, 'The source or result was deleted or has expired.'),
  payload_too_large: entry(
    413,
    'Payload too large',
    false,
    'The file is larger than 20 MB, or the JSON body is larger than 128 kB (512 kB for a batch). Nothing was stored.',
  ),
  unsupported_media_type: entry(
    415,
    'Unsupported media type',
    false,
    "The file isn't a JPEG, PNG, WebP or AVIF image, or the `Content-Type` of the body isn't supported.",
  ),
  hdr_image: entry(
    415,
    'HDR images are not supported',
    false,
    "The image has a high dynamic range (PQ or HLG), whose colors this service can't keep. Save it in standard dynamic range (SDR).",
  ),
  range_not_satisfiable: entry(
    416,
    'Range not satisfiable',
    false,
    'The `Range` header requests bytes beyond the end of the file. `Content-Range` contains the size of the file.',
  ),
  undecodable_image: entry(422, 'Invalid image', false, 'The image is truncated or corrupt.'),
  animated_image: entry(
    422,
    'Animated images are not supported',
    false,
    'The image has more than one frame. Send a still image.',
  ),
  too_many_pixels: entry(
    422,
    'Too many pixels',
    false,
    'The image or its result has more pixels than this service allows, or needs more memory than it allows for this format. `detail` contains the limit and what to change.',
  ),
  url_fetch_failed: entry(
    422,
    'URL could not be fetched',
    true,
    "The file could not be fetched from the URL: its host name doesn't resolve, the server doesn't respond, the connection isn't secure, the response isn't 200, or it took too long. `detail` says what happened. Nothing was stored.",
  ),
  idempotency_mismatch: entry(
    422,
    'Idempotency key reused',
    false,
    'The `Idempotency-Key` was already used with a different request. Use a new key for each request.',
  ),
  rate_limited: entry(
    429,
    'Too many requests',
    true,
    'The API key has reached its rate limit. Retry after `Retry-After` seconds.',
  ),
  pixel_rate_limited: entry(
    429,
    'Too many pixels',
    true,
    'The account has reached its limit of source pixels per minute. Retry after `Retry-After` seconds, or send smaller images.',
  ),
  too_many_uploads: entry(
    429,
    'Too many concurrent uploads',
    true,
    'The API key has reached its limit of concurrent uploads. Wait until one of them finishes and try again.',
  ),
  internal_error: entry(
    500,
    'Internal error',
    true,
    'An unexpected error occurred. Include the `requestId` when you contact support.',
  ),
  service_unavailable: entry(
    503,
    'Service unavailable',
    true,
    'The service or one of its dependencies is unavailable or at capacity. Retry after `Retry-After` seconds. `detail` says whether the request may have been carried out.',
  ),
  canceled: entry(409, 'Canceled', false, 'The job was canceled before it completed. It was not charged.'),
  no_subject_found: entry(
    422,
    'No subject found',
    false,
    'The model found no subject in the image. The job was not charged.',
  ),
  result_too_large: entry(
    422,
    'Result too large',
    false,
    'The result is larger than `output.maxBytes`, even at the lowest quality. `detail` contains its size. The job was not charged.',
  ),
  worker_lost: entry(
    500,
    'Worker lost',
    true,
    'Every worker that processed this image stopped unexpectedly. The job was not charged.',
  ),
  processing_failed: entry(
    500,
    'Processing failed',
    true,
    'The image could not be processed. The job was not charged.',
  ),
  ...DASHBOARD_ERROR_CODES,
} as const satisfies Record<string, ErrorCodeEntry>;

/** Codes that only dashboard routes return, never the public API. */
export const DASHBOARD_CODES: ReadonlySet<string> = new Set(Object.keys(DASHBOARD_ERROR_CODES));

export type ErrorCode = keyof typeof ERROR_CODES;
