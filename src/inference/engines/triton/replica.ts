import { Pool } from 'undici';
import { ModelAbsent, RequestRefused, ServerFailed, ServerUnavailable } from './server-errors.js';
import type { ServerAddress } from './server-address.js';

const CONNECT_TIMEOUT_MS = 3_000;
/** More than any batch of tiles; a larger response is an error of the server. */
const MAX_ANSWER_BYTES = 1_000_000_000;
/** Maximum length of a server's error message within ours, in characters. */
const TEXT_LENGTH = 300;

/** Backoff of a replica that failed, milliseconds. It grows with each failure. */
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5_000;
const MAX_RETRY_AFTER_MS = 30_000;
const JITTER = 0.25;

/** Errors of an established connection: the server has received the request, or a part of it. */
const CUT_CODES: ReadonlySet<string | undefined> = new Set([
  'ECONNRESET',
  'EPIPE',
  'UND_ERR_SOCKET',
  'UND_ERR_RES_EXCEEDED_MAX_SIZE',
]);

/** A request to a replica. */
export interface ServerRequest {
  /** Path, starting with `/v2`. */
  readonly path: string;
  readonly body?: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

export interface ServerAnswer {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** One replica of an inference server: its connections, and whether it accepts requests. */
export class Replica {
  private readonly pool: Pool;
  private failures = 0;
  private pausedUntilMs = 0;
  /** Requests without a response so far. */
  inFlight = 0;

  constructor(
    private readonly address: ServerAddress,
    connections: number,
  ) {
    this.pool = new Pool(address.origin, {
      connections,
      connect: { timeout: CONNECT_TIMEOUT_MS },
      maxResponseSize: MAX_ANSWER_BYTES,
    });
  }

  /** Host and port. */
  get name(): string {
    return this.address.name;
  }

  /** The remaining backoff, milliseconds; 0 when the replica accepts requests. */
  get pauseMs(): number {
    return Math.max(0, this.pausedUntilMs - performance.now());
  }

  /**
   * @param signal ends the request, and its connection, so that the server cancels it
   * @throws ServerUnavailable, ModelAbsent, RequestRefused, ServerFailed; the signal's reason
   */
  async request(request: ServerRequest, signal?: AbortSignal): Promise<ServerAnswer> {
    signal?.throwIfAborted();
    this.inFlight++;
    try {
      const answer = await this.answerTo(request, signal);
      this.failures = 0;
      this.pausedUntilMs = 0;
      return answer;
    } catch (error) {
      if (error instanceof ServerUnavailable) this.pause(error.how.retryAfterMs);
      throw error;
    } finally {
      this.inFlight--;
    }
  }

  /** Ends all connections at once. */
  async close(): Promise<void> {
    await this.pool.destroy();
  }

  private async answerTo(request: ServerRequest, signal?: AbortSignal): Promise<ServerAnswer> {
    const { path, body, headers, timeoutMs } = request;
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), timeoutMs);
    const { authorization, prefix } = this.address;
    // A request without items cannot be why the server is silent.
    const hasItems = body !== undefined;
    try {
      const answer = await this.pool.request({
        path: `${prefix}${path}`,
        method: hasItems ? 'POST' : 'GET',
        headers: { ...headers, ...(authorization && { authorization }) },
        body: body ?? null,
        signal: signal === undefined ? deadline.signal : AbortSignal.any([deadline.signal, signal]),
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      const bytes = Buffer.from(await answer.body.arrayBuffer());
      if (answer.statusCode !== 200) throw this.errorOf(answer.statusCode, answer.headers, bytes);
      return { headers: answer.headers, body: bytes };
    } catch (error) {
      if (isServerError(error)) throw error;
      signal?.throwIfAborted();
      if (deadline.signal.aborted)
        throw new ServerUnavailable(`${this.name} did not answer within ${timeoutMs} ms`, {
          isUnanswered: hasItems,
          isLate: true,
        });
      const isCut = CUT_CODES.has((error as NodeJS.ErrnoException).code);
      const what = isCut ? 'gave no complete response' : 'cannot be reached';
      throw new ServerUnavailable(`${this.name} ${what}: ${textOf(error)}`, {
        isUnanswered: isCut && hasItems,
        cause: error,
      });
    } finally {
      clearTimeout(timer);
    }
  }

  private errorOf(status: number, headers: ServerAnswer['headers'], body: Buffer): Error {
    const text = `${this.name} answers ${status}: ${answerText(body)}`;
    if (status === 401 || status === 403)
      return new ServerUnavailable(`${text}; correct user and password in TRITON_URL`);
    if (status === 404) return new ModelAbsent(text);
    if (status === 408 || status === 429 || (status >= 502 && status <= 504))
      return new ServerUnavailable(text, { retryAfterMs: retryAfterMs(headers['retry-after']) });
    return status >= 400 && status < 500 ? new RequestRefused(text) : new ServerFailed(text);
  }

  /** Starts a backoff, once for all requests that failed together. */
  private pause(askedMs = 0): void {
    if (this.pauseMs > 0) return;
    const backoffMs = Math.min(FIRST_PAUSE_MS * 2 ** this.failures, MAX_PAUSE_MS);
    this.failures++;
    const pauseMs = Math.max(backoffMs, Math.min(askedMs, MAX_RETRY_AFTER_MS));
    this.pausedUntilMs = performance.now() + pauseMs * (1 + JITTER * Math.random());
  }
}

function isServerError(error: unknown): boolean {
  return [ServerUnavailable, ModelAbsent, RequestRefused, ServerFailed].some((kind) => error instanceof kind);
}

/** Parses `Retry-After` in seconds. Dates are not supported, because the server belongs to the same operator. */
function retryAfterMs(header: string | string[] | undefined): number | undefined {
  const seconds = Number(header);
  return header !== undefined && Number.isFinite(seconds) ? seconds * 1_000 : undefined;
}

/** The error message of a response. Triton sends `{"error": "…"}`. */
function answerText(body: Buffer): string {
  const text = body.toString('utf8', 0, 10 * TEXT_LENGTH);
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    return (typeof error === 'string' ? error : text).slice(0, TEXT_LENGTH);
  } catch {
    return text.replace(/\s+/g, ' ').trim().slice(0, TEXT_LENGTH) || 'no text';
  }
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  return error.message || code || error.name;
}
