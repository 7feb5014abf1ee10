import {
  ApiError,
  type ApiErrorParts,
  AuthenticationError,
  ConflictError,
  GoneError,
  InvalidImageError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  QuotaExceededError,
  RateLimitError,
  ServiceError,
} from '../errors.js';
import type { Problem } from '../generated/schema.js';
import { retryAfterSeconds } from './retry-after.js';

type ErrorClass = new (parts: ApiErrorParts) => ApiError;

const CLASS_OF_CODE: Readonly<Record<string, ErrorClass>> = {
  quota_exceeded: QuotaExceededError,
  payload_too_large: InvalidImageError,
  unsupported_media_type: InvalidImageError,
  hdr_image: InvalidImageError,
  undecodable_image: InvalidImageError,
  animated_image: InvalidImageError,
  too_many_pixels: InvalidImageError,
};

const CLASS_OF_STATUS: Readonly<Record<number, ErrorClass>> = {
  400: InvalidRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  410: GoneError,
  413: InvalidImageError,
  415: InvalidImageError,
  422: InvalidRequestError,
  429: RateLimitError,
};

/** The typed error for an unsuccessful response: by its code, otherwise by its status. */
export async function errorOfResponse(response: Response): Promise<ApiError> {
  const problem = await readProblem(response);
  const { status } = response;
  const byStatus = status >= 500 ? ServiceError : (CLASS_OF_STATUS[status] ?? ApiError);
  const Class = CLASS_OF_CODE[problem.code ?? ''] ?? byStatus;
  return new Class({
    status,
    requestId: problem.requestId ?? response.headers.get('x-request-id'),
    problem,
    retryAfterSeconds: retryAfterSeconds(response.headers),
  });
}

/** Proxies respond with HTML or an empty body. Then only the status is known. */
async function readProblem(response: Response): Promise<Partial<Problem>> {
  try {
    const body: unknown = await response.json();
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    return {};
  }
}
