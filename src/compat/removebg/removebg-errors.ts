import type { ProblemDocument } from '../../common/problems/problem.js';
import type { ErrorCode } from '../../kernel/errors/error-codes.js';

/** An error in remove.bg's format. */
export interface RemoveBgError {
  readonly title: string;
  readonly code: string;
  readonly detail?: string;
}

/** Status, code, and title at remove.bg. Other errors keep their own codes. */
const KNOWN: Partial<Readonly<Record<ErrorCode, readonly [status: number, code: string, title?: string]>>> = {
  unauthorized: [403, 'auth_failed', 'API Key invalid'],
  insufficient_scope: [403, 'auth_failed'],
  address_not_allowed: [403, 'auth_failed'],
  account_suspended: [403, 'auth_failed'],
  quota_exceeded: [402, 'insufficient_credits', 'Insufficient credits'],
  rate_limited: [429, 'rate_limit_exceeded', 'Rate limit exceeded'],
  pixel_rate_limited: [429, 'rate_limit_exceeded', 'Rate limit exceeded'],
  too_many_uploads: [429, 'rate_limit_exceeded', 'Rate limit exceeded'],
  payload_too_large: [400, 'file_size_exceeded', 'File too large'],
  unsupported_media_type: [400, 'invalid_file_type', 'Invalid file type'],
  hdr_image: [400, 'invalid_file_type', 'HDR images are not supported'],
  undecodable_image: [400, 'invalid_image', 'Invalid image'],
  animated_image: [400, 'invalid_file_type', 'Animated images are not supported'],
  too_many_pixels: [400, 'resolution_exceeded', 'Image resolution too high'],
  url_fetch_failed: [400, 'failed_image_download', 'Failed to download image'],
  feature_disabled: [400, 'failed_image_download', 'Failed to download image'],
  no_subject_found: [400, 'unknown_foreground', 'Could not identify foreground in image'],
  invalid_multipart: [400, 'invalid_request'],
  malformed_json: [400, 'invalid_request'],
};

/** Converts a problem document to remove.bg's error format. */
export function removeBgErrors(problem: ProblemDocument): {
  readonly status: number;
  readonly body: { readonly errors: readonly RemoveBgError[] };
} {
  const [status, code, title] = KNOWN[problem.code] ?? [problem.status, problem.code];
  const fields =
    problem.code === 'invalid_request'
      ? problem.errors.map(({ field, code: rule, message }) => ({
          title: message,
          code: rule === 'address' ? `invalid_${field}` : rule,
        }))
      : [];
  const one = { title: title ?? problem.title, code, detail: problem.detail };
  return { status, body: { errors: fields.length > 0 ? fields : [one] } };
}
