/**
 * The one table of errors a client can meet. The problem documents, the OpenAPI document and
 * docs/errors.md are all made from it; a test holds the three equal in both directions.
 */
export interface ErrorCodeEntry {
  /** HTTP status of the answer. `null`: never an HTTP answer, only the `error.code` of a failed job. */
  readonly status: number | null;
  /** Short human title, the same for every occurrence (RFC 9457 `title`). */
  readonly title: string;
  /** Whether the very same request can succeed later without being changed. */
  readonly retryable: boolean;
  /** What it means and what to do, for the documentation page. */
  readonly text: string;
}

const entry = (status: number | null, title: string, retryable: boolean, text: string): ErrorCodeEntry => ({
  status,
  title,
  retryable,
  text,
});

export const ERROR_CODES = {
  malformed_json: entry(
    400,
    'Malformed JSON',
    false,
    'The body is not valid JSON. `detail` names the position of the first fault.',
  ),
  invalid_request: entry(
    400,
    'Invalid request',
    false,
    'A field is missing, unknown or has a value that is not allowed. `errors` lists every fault with its field.',
  ),
  invalid_cursor: entry(
    400,
    'Invalid cursor',
    false,
    'The `cursor` is not one that this service gave out. Start the list again without a cursor.',
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
    '`sourceUrl` is not an address that this service gave out to your account. Use the `url` of an upload.',
  ),
  unauthorized: entry(
    401,
    'API key missing or invalid',
    false,
    'Send a valid, unexpired key in the `x-api-key` header. Bearer tokens are not accepted.',
  ),
  not_signed_in: entry(
    401,
    'Not signed in',
    false,
    'The dashboard needs a session, and this one is missing or has ended. Sign in. API keys are not accepted there.',
  ),
  invalid_credentials: entry(
    401,
    'Wrong email address or password',
    false,
    'Email address and password do not belong together. Which of the two is wrong is not told.',
  ),
  insufficient_scope: entry(
    403,
    'Insufficient scope',
    false,
    'The key lacks a scope that this operation needs. `detail` names what is needed and what the key has.',
  ),
  address_not_allowed: entry(
    403,
    'Address not allowed',
    false,
    'The key may be used only from certain IP addresses, and this client has another one. `detail` names the address that the service sees. The owner of the key can change the list in the dashboard.',
  ),
  quota_exceeded: entry(
    403,
    'Quota exceeded',
    false,
    'The monthly enhancements or the storage of the account are used up. `quota`, `limit`, `used`, `resetsAt` and `upgrade` say which, and what helps.',
  ),
  csrf_refused: entry(
    403,
    'Request of another page refused',
    false,
    'The request lacks the `X-CSRF-Token` of its session, or was sent by a page of another site. Reload the page.',
  ),
  sign_up_closed: entry(
    403,
    'Signing up is closed',
    false,
    'On this service only its operator makes accounts. Ask them for one.',
  ),
  wrong_password: entry(
    403,
    'Wrong password',
    false,
    'The password given to confirm this is not the one of the account. Nothing was changed.',
  ),
  key_limit_reached: entry(
    403,
    'No more keys in this plan',
    false,
    'The account has as many active keys as its plan allows. Revoke one, or upgrade: `limit`, `used` and `upgrade` say more.',
  ),
  not_found: entry(404, 'Not found', false, 'There is no such resource in your account.'),
  upload_timeout: entry(
    408,
    'Upload timed out',
    true,
    'The upload sent nothing for too long, or the request took too long to arrive, and was dropped. Nothing was stored.',
  ),
  idempotency_in_progress: entry(
    409,
    'Request in progress',
    true,
    'A request with the same `Idempotency-Key` is still being worked on. Retry after a moment.',
  ),
  job_already_finished: entry(
    409,
    'Job already finished',
    false,
    'The job has completed or failed, so it cannot be canceled any more.',
  ),
  endpoint_limit_reached: entry(
    409,
    'Too many webhook endpoints',
    false,
    'An account may have 20 webhook endpoints. Delete one that is no longer needed first.',
  ),
  endpoint_disabled: entry(
    409,
    'Webhook endpoint disabled',
    false,
    'The webhook endpoint is disabled, so nothing is sent to it. Enable it first.',
  ),
  gone: entry(410, 'Gone', false, 'The source or result was deleted or its time is over.'),
  payload_too_large: entry(
    413,
    'Payload too large',
    false,
    'The file is over 20 MB, or the JSON body is over 1 MB. Nothing was stored.',
  ),
  unsupported_media_type: entry(
    415,
    'Unsupported media type',
    false,
    'The bytes are none of JPEG, PNG, WebP or AVIF, or the body is not of a type that this operation reads.',
  ),
  range_not_satisfiable: entry(
    416,
    'Range not satisfiable',
    false,
    'The `Range` header asks for bytes after the end of the file. `Content-Range` names its size.',
  ),
  undecodable_image: entry(
    422,
    'Image cannot be decoded',
    false,
    'The file starts like an image of a supported type but is truncated or damaged.',
  ),
  animated_image: entry(
    422,
    'Animated images are not supported',
    false,
    'The file has more than one frame. Send a still image.',
  ),
  too_many_pixels: entry(
    422,
    'Too many pixels',
    false,
    'The image, or the result it would give, has more pixels than this service allows, or than it has memory for in this format. `detail` names the limit and what helps.',
  ),
  idempotency_mismatch: entry(
    422,
    'Idempotency key reused',
    false,
    'The same `Idempotency-Key` was used before with a different request. Use a new key for a new request.',
  ),
  rate_limited: entry(
    429,
    'Too many requests',
    true,
    'The requests per minute of this key are used up. Wait for the seconds in `Retry-After`.',
  ),
  pixel_rate_limited: entry(
    429,
    'Too many pixels',
    true,
    'The source pixels that your jobs may have in a minute are used up. Wait for the seconds in `Retry-After`, or send smaller images.',
  ),
  too_many_uploads: entry(
    429,
    'Too many uploads at once',
    true,
    'The key has as many uploads in progress as it may have at once. Wait until one of them ends, then send this one again.',
  ),
  too_many_attempts: entry(
    429,
    'Too many attempts',
    true,
    'Too many sign-ins, sign-ups, passwords or dashboard requests in a short time. Wait for the seconds in `Retry-After`.',
  ),
  internal_error: entry(
    500,
    'Internal error',
    true,
    'Something went wrong on our side. Quote the `requestId` when you ask for help.',
  ),
  service_unavailable: entry(
    503,
    'Service unavailable',
    true,
    'The service, or something it depends on, is down or full. Retry after the seconds in `Retry-After`; `detail` says whether the request may have been carried out.',
  ),
  canceled: entry(null, 'Canceled', false, 'The job was canceled before it completed. It cost nothing.'),
  no_subject_found: entry(
    null,
    'No subject found',
    false,
    'The model found no subject to cut out. The job cost nothing.',
  ),
  worker_lost: entry(
    null,
    'Worker lost',
    true,
    'The worker was lost each time it worked on this image, so the job was given up. The job cost nothing.',
  ),
  processing_failed: entry(
    null,
    'Processing failed',
    true,
    'The image could not be processed. The job cost nothing.',
  ),
} as const satisfies Record<string, ErrorCodeEntry>;

/** Codes that only the dashboard's own, session-authenticated part answers; the public API never does. */
export const DASHBOARD_CODES: ReadonlySet<string> = new Set([
  'not_signed_in',
  'invalid_credentials',
  'csrf_refused',
  'sign_up_closed',
  'wrong_password',
  'key_limit_reached',
  'too_many_attempts',
] satisfies (keyof typeof ERROR_CODES)[]);

export type ErrorCode = keyof typeof ERROR_CODES;
