/** How to reach the service, and how patiently. */
export interface ClientOptions {
  /** The key of your account (`ies_…`). In Node.js default: the variable `IMAGE_ENHANCEMENT_API_KEY`. */
  readonly apiKey?: string | undefined;
  /**
   * Where the service is. In Node.js default: the variable `IMAGE_ENHANCEMENT_URL`, else `http://localhost:3000`; in
   * a page default: where the page comes from.
   */
  readonly baseUrl?: string | undefined;
  /** What stands between the address and the resources. Default: `/api`. */
  readonly basePath?: string | undefined;
  /**
   * Cookies instead of a key, for pages that the service itself delivers: as of `fetch`. With it no key is needed.
   */
  readonly credentials?: RequestCredentials | undefined;
  /** Headers of every request to the API, or what makes them each time. */
  readonly headers?: Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>) | undefined;
  /** In place of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /**
   * For one request and its answer; default one minute, for uploads and downloads five. Infinity is no limit; what is
   * no number is refused, here and in the next two.
   */
  readonly timeoutMs?: number | undefined;
  /** How often a request is sent again after a broken connection or a fault of the service. Default: 4. */
  readonly maxRetries?: number | undefined;
  /**
   * How long one request of a call may wait, all in all, when it is told that there are too many. Default: 2 minutes.
   * A wait for a job goes on beyond it, as over broken connections.
   */
  readonly maxRateLimitWaitMs?: number | undefined;
}

/** What can be said of a single call. */
export interface RequestOptions {
  /** Ends the call; it throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** As of the client, for this call. */
  readonly timeoutMs?: number | undefined;
  readonly maxRetries?: number | undefined;
}

/** Of a call that creates something. */
export interface CreateOptions extends RequestOptions {
  /**
   * The same key creates the same thing once, however often it is sent. Default: a new one for each call, which
   * makes the retries of that call safe. Give one of your own to be safe over restarts of your program, too.
   */
  readonly idempotencyKey?: string | undefined;
}
