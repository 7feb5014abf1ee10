/** The request id and rate limit of a response. */
export interface ResponseInfo {
  readonly status: number;
  /** Null when a server in between answered. */
  readonly requestId: string | null;
  /** The rate limit of the key; null when the response has none. */
  readonly rateLimit: RateLimit | null;
  readonly headers: Headers;
}

export interface RateLimit {
  /** Requests per minute. */
  readonly limit: number;
  /** Requests that are left now. */
  readonly remaining: number;
  /** When the full limit is available again. */
  readonly resetsAt: Date;
}

/** The value of a call together with its response. */
export interface WithResponse<T> extends ResponseInfo {
  readonly data: T;
}

/** The promise of a call, which can also yield its response. */
export class ApiPromise<T> extends Promise<T> {
  private response!: () => Response;

  /** `then` and others return plain promises. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  /** @param run performs the call and passes on each successful response; the last one counts */
  static of<T>(run: (onResponse: (response: Response) => void) => Promise<T>): ApiPromise<T> {
    let response: Response | undefined;
    const promise = new ApiPromise<T>((resolve, reject) => {
      run((each) => {
        response = each;
      }).then(resolve, reject);
    });
    promise.response = () => response!;
    return promise;
  }

  /** The value with the request id, the rate limit, and the headers of the response. @throws as the call itself */
  async withResponse(): Promise<WithResponse<T>> {
    const data = await this;
    const { status, headers } = this.response();
    return { data, status, headers, requestId: headers.get('x-request-id'), rateLimit: rateLimitOf(headers) };
  }
}

function rateLimitOf(headers: Headers): RateLimit | null {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) => {
    const text = headers.get(`x-ratelimit-${name}`);
    return text === null || !/^\d+$/.test(text) ? null : Number(text);
  }) as [number | null, number | null, number | null];
  if (limit === null || remaining === null || reset === null) return null;
  return { limit, remaining, resetsAt: new Date(reset * 1000) };
}
