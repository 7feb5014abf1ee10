import { API_BASE } from '../api-base.js';
import type { Session } from '../schema.js';

/** Its value proves that this page made the request. */
const CSRF_HEADER = 'x-csrf-token';
const SAFE_METHODS = new Set(['GET', 'HEAD']);
const FORBIDDEN = 403;

let token: string | null = null;
/** The account that this page shows; undefined until a session was read. */
let accountId: string | null | undefined;

/** Stores the token and the account of a session for later requests. */
export function keepToken(csrfToken: string | null, account: { readonly id: string } | null): void {
  token = csrfToken ?? '';
  accountId = account?.id ?? null;
}

/**
 * Announces that the page itself switches the session to another account and then loads another page. Call this before
 * the request.
 */
export function expectMove(): void {
  accountId = undefined;
}

/** Whether the session is signed in to an account other than the one that this page shows. */
export function hasMoved(account: { readonly id: string } | null): boolean {
  return account !== null && accountId !== undefined && accountId !== null && account.id !== accountId;
}

/**
 * A `fetch` that sends the session's CSRF token with every change. If another tab has signed in again, the token is
 * rejected. Then the token is read again and the request is repeated. If the session now belongs to another account,
 * the page is reloaded instead, because the request must not run there.
 */
export function withCsrfToken(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    if (SAFE_METHODS.has(init?.method ?? 'GET')) return send(input, init);
    const attempt = async () => send(input, { ...init, headers: await headersOf(init) });
    const answer = await attempt();
    if (answer.status !== FORBIDDEN || !(await isTokenRefused(answer.clone()))) return answer;
    const session = await readSession(init?.signal ?? null);
    if (accountId !== undefined && (session.account?.id ?? null) !== accountId) {
      window.location.reload();
      return answer;
    }
    keepToken(session.csrfToken, session.account);
    return attempt();
  };
}

async function headersOf(init: RequestInit | undefined): Promise<HeadersInit> {
  token ??= (await readSession(init?.signal ?? null)).csrfToken ?? '';
  return { ...(init?.headers as Record<string, string> | undefined), [CSRF_HEADER]: token };
}

type SessionToken = Pick<Session, 'csrfToken' | 'account'>;

async function readSession(signal: AbortSignal | null): Promise<SessionToken> {
  const answer = await fetch(`${API_BASE}/session`, {
    credentials: 'same-origin',
    cache: 'no-store',
    signal,
  });
  const { csrfToken = null, account = null } = (await answer.json()) as Partial<SessionToken>;
  return { csrfToken, account };
}

async function isTokenRefused(answer: Response): Promise<boolean> {
  const problem = (await answer.json().catch(() => null)) as { readonly code?: string } | null;
  return problem?.code === 'csrf_refused';
}
