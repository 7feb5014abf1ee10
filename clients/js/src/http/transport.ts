import { AbortedError, ConnectionError, ImageEnhancementError, TimeoutError } from '../errors.js';
import type { ClientOptions, RequestOptions } from '../options.js';
import { checkedNumber } from '../numbers.js';
import type { Platform } from '../platform/platform.js';
import { Deadline } from './deadline.js';
import { ApiPromise } from './api-promise.js';
import { checkedKey, checkedUrl, checkIdempotencyKey, checkLimits } from './checks.js';
import { errorOfResponse } from './error-of-response.js';
import { pause } from './pause.js';
import { isRedirect, redirected } from './redirect.js';
import { RetryBudget, type RetryLimits } from './retry-budget.js';
import { throwIfAborted } from './throw-if-aborted.js';
import { UnacknowledgedAttempts } from './unacknowledged-attempts.js';

const TIMEOUT_MS = 60_000;
/** For requests that send or read a file. */
const FILE_TIMEOUT_MS = 300_000;
const MAX_RETRIES = 4;
const MAX_RATE_LIMIT_WAIT_MS = 120_000;

/** Query parameters. Undefined values are omitted. */
export type Query = Readonly<Record<string, string | number | Date | undefined>>;

/** One request to the API. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to the base path. */
  readonly path: string;
  readonly query?: Query | undefined;
  /** A value to send as JSON, or a form. */
  readonly body?: object | FormData | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sent with every attempt. Makes a POST safe to repeat. */
  readonly idempotencyKey?: string | undefined;
  /** Whether the request is safe to repeat. Default: true, except for a POST without an idempotency key. */
  readonly isRepeatable?: boolean | undefined;
  /** Called before each attempt. */
  readonly onAttempt?: (() => void) | undefined;
  /** Called with the response after it was read. */
  readonly onResponse?: ((response: Response) => void) | undefined;
  /** Called with the error of each failed attempt. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
}

/** Reads a successful response. The connection may still break during this. */
type Read<T> = (response: Response) => Promise<T>;

/** Sends HTTP requests with the base URL, the key, and retries. */
export class Transport {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  // Private, so that printing or serializing the object never writes the key to a log.
  readonly #options: ClientOptions;
  readonly #apiKey: string | undefined;
  private readonly basePath: string;
  private readonly fetch: typeof globalThis.fetch;

  /** @throws ImageEnhancementError when there is neither a key nor a cookie, no URL, or an invalid limit */
  constructor(
    options: ClientOptions,
    readonly platform: Platform,
  ) {
    this.#options = options;
    this.baseUrl = checkedUrl(options.baseUrl ?? platform.defaultBaseUrl());
    this.basePath = options.basePath ?? '/api';
    this.#apiKey = checkedKey(options, platform);
    checkLimits(options);
    // Called without a `this` object, because some implementations require that.
    const given = options.fetch ?? globalThis.fetch;
    this.fetch = (input, init) => given(input, init);
  }

  /** The response as JSON. */
  json<T>(request: ApiRequest, options: RequestOptions = {}): ApiPromise<T> {
    return ApiPromise.of((onResponse) => this.readJson(request, options, onResponse));
  }

  private readJson<T>(
    request: ApiRequest,
    options: RequestOptions,
    onResponse: (response: Response) => void,
  ): Promise<T> {
    return this.send(request, options, async (response) => {
      try {
        const data = (await response.json()) as T;
        onResponse(response);
        request.onResponse?.(response);
        return data;
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        // The response was truncated, or came from a different server at this address.
        throw new ConnectionError(`${new URL(this.baseUrl).origin} answered with what is no JSON.`, {
          cause: error,
        });
      }
    });
  }

  /** Sends a request, with retries where they are safe and may help, until a successful response was read. */
  async send<T>(request: ApiRequest, options: RequestOptions, read: Read<T>): Promise<T> {
    if (request.idempotencyKey !== undefined) checkIdempotencyKey(request.idempotencyKey);
    const repeatable = request.method !== 'POST' || request.idempotencyKey !== undefined;
    const unheard = new UnacknowledgedAttempts();
    const run = async () => {
      // Nothing is sent when the signal is already aborted, so this does not count as an attempt.
      throwIfAborted(options.signal);
      unheard.watch.onAttempt();
      request.onAttempt?.();
      try {
        return await this.once(this.urlOf(request), this.init(request), options, read);
      } catch (error) {
        unheard.watch.onFailure(error);
        request.onFailure?.(error);
        if (error instanceof ImageEnhancementError) error.idempotencyKey = request.idempotencyKey ?? null;
        throw error;
      }
    };
    return this.retry(options, request.isRepeatable ?? repeatable, run).catch((error: unknown) => {
      if (error instanceof AbortedError && unheard.hasAny)
        error.idempotencyKey = request.idempotencyKey ?? null;
      throw error;
    });
  }

  /** Reads a signed URL. Sends neither the key nor the caller's headers, because the URL may lead to another server. */
  download<T>(url: string, options: RequestOptions, read: Read<T>): Promise<T> {
    const init = { method: 'GET', headers: this.platform.headers };
    return this.retry(options, true, () => this.once(url, init, options, read));
  }

  /** Sends a file to a signed URL, without the API key and the caller's headers, like `download`. */
  uploadTo(
    url: string,
    { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: Blob },
    options: RequestOptions,
  ): Promise<void> {
    const init: RequestInit = {
      method: 'PUT',
      headers: { ...this.platform.headers, ...headers },
      body,
      redirect: 'manual',
    };
    return this.retry(options, true, () =>
      this.once(url, init, options, async (response) => void (await response.arrayBuffer())),
    );
  }

  private async retry<T>(options: RequestOptions, isRepeatable: boolean, run: () => Promise<T>): Promise<T> {
    const budget = new RetryBudget(this.retryLimits(options));
    for (;;) {
      try {
        return await run();
      } catch (error) {
        throwIfAborted(options.signal);
        const pauseMs = budget.pauseAfter(error, isRepeatable);
        if (pauseMs === null) throw error;
        await pause(pauseMs, options.signal);
      }
    }
  }

  /** The timeout of a request that neither sends nor reads a file. */
  timeoutMsOf(options: RequestOptions): number {
    return options.timeoutMs ?? this.#options.timeoutMs ?? TIMEOUT_MS;
  }

  /** The options of a request that sends or reads a file, whose default timeout is longer. */
  forFile<T extends RequestOptions>(options: T): T & { readonly timeoutMs: number } {
    return { ...options, timeoutMs: options.timeoutMs ?? this.#options.timeoutMs ?? FILE_TIMEOUT_MS };
  }

  /**
   * A timeout that the caller set also limits the wait after a 429: a caller who allows 5 seconds does not want to wait
   * a minute.
   */
  retryLimits(options: RequestOptions): RetryLimits {
    const timeoutMs = checkedNumber('timeoutMs', options.timeoutMs ?? this.#options.timeoutMs ?? Infinity);
    return {
      maxRetries: options.maxRetries ?? this.#options.maxRetries ?? MAX_RETRIES,
      maxRateLimitWaitMs: Math.min(
        this.#options.maxRateLimitWaitMs ?? MAX_RATE_LIMIT_WAIT_MS,
        Math.max(0, timeoutMs),
      ),
    };
  }

  /** One attempt. @throws ApiError, ConnectionError, TimeoutError, AbortedError */
  private async once<T>(url: string, init: RequestInit, options: RequestOptions, read: Read<T>): Promise<T> {
    const timeoutMs = this.timeoutMsOf(options);
    // Without a timeout, the response may outlive this method, so it must depend on the caller's own signal.
    const deadline = timeoutMs === Infinity ? undefined : new Deadline(timeoutMs, options.signal);
    try {
      const response = await this.fetch(url, { ...init, signal: deadline?.signal ?? options.signal ?? null });
      if (isRedirect(response)) throw redirected(url, response);
      if (!response.ok) throw await errorOfResponse(response);
      return await read(response);
    } catch (error) {
      throwIfAborted(options.signal);
      if (deadline?.isOver === true)
        throw new TimeoutError(`${new URL(url).origin} did not answer within ${timeoutMs / 1000} s.`);
      if (error instanceof ImageEnhancementError) throw error;
      throw new ConnectionError(
        `${new URL(url).origin} cannot be reached, or the connection broke: ${reasonOf(error)}${this.platform.hintFor(url)}`,
        { cause: error },
      );
    } finally {
      deadline?.release();
    }
  }

  private urlOf({ path, query }: ApiRequest): string {
    const url = new URL(`${this.baseUrl}${this.basePath}${path}`);
    for (const [name, value] of Object.entries(query ?? {})) {
      if (value === undefined) continue;
      url.searchParams.set(name, value instanceof Date ? value.toISOString() : String(value));
    }
    return url.href;
  }

  private init(request: ApiRequest): RequestInit {
    const { body } = request;
    const isForm = body instanceof FormData;
    const own = typeof this.#options.headers === 'function' ? this.#options.headers() : this.#options.headers;
    return {
      method: request.method,
      headers: {
        ...this.platform.headers,
        accept: 'application/json',
        ...(this.#apiKey === undefined ? {} : { 'x-api-key': this.#apiKey }),
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
        ...(request.idempotencyKey === undefined ? {} : { 'idempotency-key': request.idempotencyKey }),
        ...own,
        ...request.headers,
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
      ...(this.#options.credentials === undefined ? {} : { credentials: this.#options.credentials }),
      // A cached response would show an outdated state of a job.
      cache: 'no-store',
      // A redirect could send the key to another server.
      redirect: 'manual',
    };
  }
}

/** The innermost message of an error, because the outer ones of `fetch` are too general. */
function reasonOf(error: unknown): string {
  let inner = error;
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause;
  const { code, message } = inner as { code?: string; message?: string };
  // System errors have their code in the message, too.
  if (code !== undefined && message?.includes(code) === true) return message;
  return [code, message].filter(Boolean).join(' ') || String(inner);
}
