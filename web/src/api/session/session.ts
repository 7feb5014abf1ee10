import { queryOptions, useQuery } from '@tanstack/react-query';
import { request } from '../client.js';
import type { Account, Impersonation, Session, User } from '../schema.js';
import { hasMoved, keepToken } from './session-fetch.js';

export const SESSION_KEY = ['session'] as const;
const STALE_MS = 60_000;

/** Sends a request whose response is a session. Its token is sent with every later change. */
export async function requestSession(...asked: Parameters<typeof request<Session>>): Promise<Session> {
  const session = await request(...asked);
  keepToken(session.csrfToken, session.account);
  return session;
}

export type Permission = Session['permissions'][number];

async function readSession(signal: AbortSignal): Promise<Session> {
  return kept(await request<Session>({ method: 'GET', path: '/session' }, { signal }));
}

/**
 * Stores the token of a session. If the session is now in another organization, reloads the page, because everything on
 * it belongs to the earlier one.
 */
function kept(session: Session): Session | Promise<never> {
  if (hasMoved(session.account)) {
    window.location.reload();
    return new Promise<never>(() => undefined);
  }
  keepToken(session.csrfToken, session.account);
  return session;
}

/** The session, shared by all parts of the page. */
export const SESSION_QUERY = queryOptions({
  queryKey: SESSION_KEY,
  queryFn: ({ signal }) => readSession(signal),
  staleTime: STALE_MS,
});

/**
 * The same query, with the response to the request that was sent before the application had loaded.
 * @param early the return value of `askForSession`
 */
export function sessionQueryFrom(early: Promise<Response | null>) {
  return queryOptions({
    ...SESSION_QUERY,
    queryFn: async ({ signal }) => {
      const answer = await early;
      return answer === null ? readSession(signal) : kept((await answer.json()) as Session);
    },
  });
}

/**
 * Refetched every minute, because others can change the role. Until the address is verified, also whenever the user
 * returns to the page: the link of the email opens in another tab, or on another device.
 */
export function useSession() {
  return useQuery({
    ...SESSION_QUERY,
    refetchInterval: STALE_MS,
    refetchOnWindowFocus: ({ state }) => (state.data?.user?.isEmailVerified === false ? 'always' : true),
  });
}

/** Whether the user can confirm a change with a password. A service of an earlier version does not say. */
export function useHasPassword(): boolean {
  return useSession().data?.user?.hasPassword !== false;
}

/** The account, for pages that are shown only when signed in. */
export function useAccount(): Account | null {
  return useSession().data?.account ?? null;
}

/** The user, for pages that are shown only when signed in. */
export function useUser(): User | null {
  return useSession().data?.user ?? null;
}

/** Maximum size of a photo, width × height. A service of an earlier version does not say. */
export function useMaxPixels(): number {
  return useSession().data?.maxInputPixels ?? Infinity;
}

/** Set while an operator is signed in as a customer. */
export function useImpersonation(): Impersonation | null {
  return useSession().data?.impersonation ?? null;
}
