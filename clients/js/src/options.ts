import type { UploadProgress } from './files/file-with-progress.js';

/** Address, authentication, timeouts, and retries of a client. */
export interface ClientOptions {
  /** Your API key (`ies_…`). Default in Node.js: the environment variable `IMAGE_ENHANCEMENT_API_KEY`. */
  readonly apiKey?: string | undefined;
  /**
   * URL of the service. Default in Node.js: the environment variable `IMAGE_ENHANCEMENT_URL`, otherwise
   * `http://localhost:3000`; default in browsers: the origin of the page.
   */
  readonly baseUrl?: string | undefined;
  /** The path before all resources. Default: `/api`. */
  readonly basePath?: string | undefined;
  /** As in `fetch`: cookies instead of a key, for pages that the service itself serves. Then no key is needed. */
  readonly credentials?: 'omit' | 'same-origin' | 'include' | undefined;
  /** Headers of every API request, or a function that returns them. */
  readonly headers?: Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>) | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /**
   * Timeout of one request and its response, milliseconds. Default: one minute; uploads and downloads: five minutes.
   * `Infinity` turns it off. A timeout that you set also limits the wait after a 429.
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Maximum retries of a request after a broken connection or a server error. Default: 4. With 0, every error is thrown
   * immediately, including a 429.
   */
  readonly maxRetries?: number | undefined;
  /**
   * Maximum total wait of one request after 429 responses, milliseconds. Default: 2 minutes. `jobs.wait` continues
   * until its own timeout.
   */
  readonly maxRateLimitWaitMs?: number | undefined;
}

/** Options of a single call. */
export interface RequestOptions {
  /** Aborts the call, which then throws an `AbortedError`. */
  readonly signal?: AbortSignal | undefined;
  /** Overrides the client's timeout. */
  readonly timeoutMs?: number | undefined;
  /** Overrides the client's number of retries. */
  readonly maxRetries?: number | undefined;
}

/** How a file is sent. */
export interface SendOptions {
  /**
   * Sends the file straight to the object store of the service. Throws a `PermissionError` with the code
   * `feature_disabled` if the operator does not allow it. Ignores `idempotencyKey`: a repeated call uploads again.
   */
  readonly direct?: boolean | undefined;
}

/** Options of a call that creates something. */
export interface CreateOptions extends RequestOptions {
  /**
   * The same key creates the same thing only once, no matter how many times it is sent. Default: a new key for each
   * call, which makes the retries of that call safe. Pass your own key to be safe across restarts of your program.
   */
  readonly idempotencyKey?: string | undefined;
}

/** Options of an upload. */
export interface UploadOptions extends CreateOptions, SendOptions {
  /** Called while the file is sent. Browsers report only the end. Not called for URLs, which the service fetches. */
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
}

/** Which days `exportUsage` covers. */
export interface UsageExportOptions extends RequestOptions {
  /** The first day (UTC), such as `2026-01-01`. Default: 29 days before `to`. */
  readonly from?: string | undefined;
  /** The last day (UTC), which is included. Default: today. */
  readonly to?: string | undefined;
}
