/** A request as a client made it. */
export interface RecordedRequest {
  readonly method: string;
  /** The path, with its query. */
  readonly path: string;
  readonly headers: Headers;
  /** The status of the response; undefined when there was none. */
  status?: number;
}

/** A `fetch` that records requests; `interfere` may respond in place of the service, or change the request. */
export function recordingFetch(
  interfere: (request: RecordedRequest, init: RequestInit) => Response | undefined = () => undefined,
): { readonly fetch: typeof globalThis.fetch; readonly requests: RecordedRequest[] } {
  const requests: RecordedRequest[] = [];
  const recorded: typeof globalThis.fetch = async (input, init = {}) => {
    const url = new URL(input as string);
    const request: RecordedRequest = {
      method: init.method ?? 'GET',
      path: `${url.pathname}${url.search}`,
      headers: new Headers(init.headers),
    };
    requests.push(request);
    const answer = interfere(request, init) ?? (await fetch(input, init));
    request.status = answer.status;
    return answer;
  };
  return { fetch: recorded, requests };
}
