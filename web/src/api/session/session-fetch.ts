/** Where the routes of a session are. */
export const API_BASE = '/dashboard/api';

/** Its value proves that a request was made by this page. */
const CSRF_HEADER = 'x-csrf-token';
const SAFE_METHODS = new Set(['GET', 'HEAD']);
const FORBIDDEN = 403;

let token: string | null = null;

/** Keeps the token that a session came with for the requests that follow. */
export function keepToken(csrfToken: string | null): void {
  token = csrfToken ?? '';
}

/**
 * A `fetch` that sends the session's CSRF token with every change. When another tab has signed in anew the token is
 * refused; then it is read again and the request is sent once more.
 */
export function withCsrfToken(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    if (SAFE_METHODS.has(init?.method ?? 'GET')) return send(input, init);
    const attempt = async () => send(input, { ...init, headers: await headersOf(init) });
    const answer = await attempt();
    if (answer.status !== FORBIDDEN || !(await isTokenRefused(answer.clone()))) return answer;
    token = null;
    return attempt();
  };
}

async function headersOf(init: RequestInit | undefined): Promise<HeadersInit> {
  token ??= await readToken(init?.signal ?? null);
  return { ...(init?.headers as Record<string, string> | undefined), [CSRF_HEADER]: token };
}

async function readToken(signal: AbortSignal | null): Promise<string> {
  const answer = await fetch(`${API_BASE}/session`, {
    credentials: 'same-origin',
    cache: 'no-store',
    signal,
  });
  const { csrfToken } = (await answer.json()) as { readonly csrfToken?: string | null };
  return csrfToken ?? '';
}

async function isTokenRefused(answer: Response): Promise<boolean> {
  const problem = (await answer.json().catch(() => null)) as { readonly code?: string } | null;
  return problem?.code === 'csrf_refused';
}
