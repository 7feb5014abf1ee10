import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import { AppError } from '../../kernel/app-error.js';
import type { ErrorCode } from '../../kernel/errors/error-codes.js';
import { rateLimitHeaders } from '../../kernel/rate-limit.js';
import { type ProblemDocument, problemOf } from './problem.js';
import { lingeringClose } from '../requests/lingering-close.js';
import type { FastifyReply, FastifyRequest } from '../requests/request-context.js';

/** Retry delay while a dependency is unavailable, seconds. */
const AWAY_RETRY_SECONDS = 5;

export interface ProblemResponse {
  readonly status: number;
  readonly type: string;
  /** A string is sent as it is. */
  readonly body: object | string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Converts any error into a problem document. Internal text goes to the log only. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger('http');

  constructor(
    private readonly publicUrl: string,
    /** Whether an error means that a dependency is unavailable, or that the same request may succeed later. */
    private readonly isAway: (error: unknown) => boolean,
    /** Whether an error means that the account that sent the request was deleted in the meantime. */
    private readonly isAskerGone: (error: unknown) => boolean = () => false,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const error = this.isAskerGone(thrown)
      ? goneAsker(request)
      : toAppError(thrown, this.isAway, effectOf(request));
    const problem = problemOf(error, this.publicUrl, request.id);
    const { status, type, body, headers = {} } = this.responseOf(problem, request);
    this.log(status, thrown, error, request);
    if (reply.raw.headersSent) {
      // Part of the response has already been sent, so the only way to signal the error is to close the connection.
      reply.raw.destroy();
      return;
    }
    dropFileHeaders(reply, status);
    if (request.rateLimit !== undefined) reply.headers(rateLimitHeaders(request.rateLimit));
    if (error.retryAfterSeconds !== undefined) reply.header('Retry-After', String(error.retryAfterSeconds));
    if (status === 401) reply.header('WWW-Authenticate', challengeOf(problem.code));
    // Otherwise the unread rest of the body would be parsed as the next request.
    if (!request.raw.complete) {
      reply.header('Connection', 'close');
      lingeringClose(request.raw);
    }
    void reply.status(status).headers(headers).type(type).send(body);
  }

  /** The response to a problem. Pages and routes that imitate other services override it with their own format. */
  protected responseOf(problem: ProblemDocument, _request: FastifyRequest): ProblemResponse {
    return { status: problem.status, type: 'application/problem+json', body: problem };
  }

  private log(status: number, thrown: unknown, error: AppError, request: FastifyRequest): void {
    const path = loggedPath(request.url, request.routeOptions.url);
    const line = { requestId: request.id, method: request.method, path, status, code: error.code };
    const isGone = request.raw.destroyed && !request.raw.complete;
    if (status < 500 || isGone) this.logger.debug(line, isGone ? 'the client disconnected' : 'refused');
    else if (isRefusal(thrown)) this.logger.warn({ ...line, internal: error.message }, 'refused');
    else
      this.logger.error(
        { ...line, internal: error.message },
        thrown instanceof Error ? thrown.stack : String(thrown),
      );
  }
}

/** Whether a limit of the service refused a request. Anyone can cause many of these, and their stack tells nothing. */
function isRefusal(thrown: unknown): boolean {
  return thrown instanceof AppError && thrown.code === 'service_unavailable' && thrown.cause === undefined;
}

/**
 * The path of a request without its secrets: the query of a signed URL, and the token of a share link.
 * @param route the pattern of the route; undefined for an unknown one
 */
export function loggedPath(url: string, route: string | undefined): string {
  return route?.includes('/:token') ? route : url.split('?', 1)[0]!;
}

/** Headers that describe the bytes of a file. */
const FILE_HEADERS = ['ETag', 'Last-Modified', 'Content-Disposition', 'Content-Encoding', 'Content-Range'];

/**
 * The bytes of a file may fail before the first one is sent, when the headers of the file are already set. A problem
 * under these headers would be cached in place of the file.
 */
function dropFileHeaders(reply: FastifyReply, status: number): void {
  // In a 416, it tells the size of the file.
  const dropped = FILE_HEADERS.filter((name) => status !== 416 || name !== 'Content-Range');
  for (const name of dropped) {
    reply.removeHeader(name);
    // Fastify has already copied the headers when the body is a stream.
    reply.raw.removeHeader(name);
  }
  if (reply.hasHeader('Cache-Control')) reply.header('Cache-Control', 'no-store');
}

/** The account was deleted during its own request. */
function goneAsker({ principal }: FastifyRequest): AppError {
  return new AppError(principal?.keyId === null ? 'not_signed_in' : 'unauthorized');
}

/** The challenge of a 401 (RFC 9110 §11.6.1). */
function challengeOf(code: ErrorCode): string {
  return code === 'unauthorized'
    ? 'ApiKey realm="image-enhancement", header="x-api-key"'
    : 'Session realm="dashboard"';
}

const STATUS_CODES: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid_request',
  404: 'not_found',
  405: 'method_not_allowed',
  // A file server's response to `If-Match`. It has no code of its own, because no operation uses that header.
  412: 'invalid_request',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  416: 'range_not_satisfiable',
  503: 'service_unavailable',
};

/** What a failed request may have changed. */
export type Effect = 'none' | 'unknown' | 'unknown-with-key';

/** Only reads are certain to have changed nothing, because a connection can break between a commit and its response. */
export function effectOf({ method, headers, isHandlerStarted }: EffectOf): Effect {
  if (isHandlerStarted !== true || READING_METHODS.has(method)) return 'none';
  return headers['idempotency-key'] === undefined ? 'unknown' : 'unknown-with-key';
}

type EffectOf = Pick<FastifyRequest, 'method' | 'headers' | 'isHandlerStarted'>;

const READING_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

const AWAY_DETAILS: Readonly<Record<Effect, string>> = {
  none: 'The service is temporarily unavailable. Nothing was changed. Try again.',
  unknown:
    'The service became unavailable, and the request may have been carried out. Check before you retry. Requests with an Idempotency-Key are safe to retry.',
  'unknown-with-key':
    'The service became unavailable, and the request may have been carried out. Retry with the same Idempotency-Key: nothing is created twice.',
};

/** Converts anything thrown into an AppError. */
export function toAppError(
  thrown: unknown,
  isAway: (error: unknown) => boolean,
  effect: Effect = 'none',
): AppError {
  if (thrown instanceof AppError) return thrown;
  if (isAway(thrown)) {
    return new AppError('service_unavailable', {
      detail: AWAY_DETAILS[effect],
      retryAfterSeconds: AWAY_RETRY_SECONDS,
      cause: thrown,
    });
  }
  const status = statusOf(thrown);
  const code = status === undefined ? undefined : STATUS_CODES[status];
  if (code === undefined) return new AppError('internal_error', { internal: String(thrown), cause: thrown });
  const wait = code === 'service_unavailable' ? { retryAfterSeconds: AWAY_RETRY_SECONDS } : {};
  return new AppError(code, { ...wait, cause: thrown });
}

function statusOf(thrown: unknown): number | undefined {
  if (thrown instanceof HttpException) return thrown.getStatus();
  if (thrown instanceof Error && 'statusCode' in thrown && typeof thrown.statusCode === 'number')
    return thrown.statusCode;
  return undefined;
}
