import { ApiError, problemOf, unreachable } from './api-error.js';

/** Where the session-authenticated part of the API lives. */
export const API_BASE = '/dashboard/api';
/** Its value proves that a request was made by this page. */
export const CSRF_HEADER = 'x-csrf-token';
const SAFE_METHODS = new Set(['GET', 'HEAD']);

export interface RequestOptions {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  /** The same key again gets the first answer, so that asking twice does not order twice. */
  readonly idempotencyKey?: string | undefined;
}

let token: string | null = null;

/** The token of the session that was last heard of; reads the session when there is none yet. */
export async function csrfToken(): Promise<string> {
  if (token === null) await request('/session');
  return token ?? '';
}

/**
 * One JSON request as the signed-in person. When another tab has signed in anew, the token is renewed once.
 * @param path below {@link API_BASE}, beginning with a slash
 * @returns what the service answered; undefined for an empty answer
 * @throws ApiError for anything but 2xx, and when nothing answers
 */
export async function request<Answer>(path: string, options: RequestOptions = {}): Promise<Answer> {
  return withFreshToken(() => requestOnce<Answer>(path, options));
}

/** Does the work once more with a new token when the one it used was refused: another tab has signed in anew. */
export async function withFreshToken<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'csrf_refused') throw error;
    token = null;
    return work();
  }
}

async function requestOnce<Answer>(path: string, options: RequestOptions): Promise<Answer> {
  const { method = 'GET', body, signal, idempotencyKey } = options;
  const response = await send(path, {
    method,
    credentials: 'same-origin',
    headers: {
      accept: 'application/json',
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      ...(await writeHeaders(method, body)),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  const text = await response.text();
  if (!response.ok)
    throw new ApiError(
      problemOf(response.status, text),
      retryAfterSeconds(response.headers.get('retry-after')),
    );
  const answer: unknown = text === '' ? undefined : JSON.parse(text);
  keepToken(answer);
  return answer as Answer;
}

async function send(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(`${API_BASE}${path}`, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw unreachable();
  }
}

async function writeHeaders(method: string, body: unknown): Promise<Record<string, string>> {
  if (SAFE_METHODS.has(method)) return {};
  return {
    [CSRF_HEADER]: await csrfToken(),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
}

/** Every answer that is a session brings the token of what follows. */
function keepToken(answer: unknown): void {
  if (typeof answer === 'object' && answer !== null && 'csrfToken' in answer)
    token = typeof answer.csrfToken === 'string' ? answer.csrfToken : '';
}

/** Seconds of a `Retry-After` header, if it has any. */
export function retryAfterSeconds(header: string | null): number | null {
  const seconds = Number(header);
  return header === null || Number.isNaN(seconds) ? null : seconds;
}

/** `?a=1&b=2` of those that have a value. */
export function query(parameters: Readonly<Record<string, string | number | null | undefined>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    if (value !== null && value !== undefined && value !== '') search.set(name, String(value));
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}
