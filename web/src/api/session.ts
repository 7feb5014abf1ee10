import { useQuery } from '@tanstack/react-query';
import { request } from './http.js';

export interface PlanLimits {
  /** Requests per minute and key. */
  readonly rpm: number;
  /** AI enhancements per calendar month (UTC). */
  readonly enhancements: number;
  readonly storageBytes: number;
  readonly keys: number;
}

export interface Account {
  readonly id: string;
  readonly email: string;
  readonly plan: string;
  readonly limits: PlanLimits;
  readonly createdAt: string;
}

/** Who is signed in; `account` null: nobody. */
export interface Session {
  readonly account: Account | null;
  readonly csrfToken: string | null;
  readonly expiresAt: string | null;
  readonly signUp: 'open' | 'closed';
}

export const SESSION_KEY = ['session'] as const;
const STALE_MS = 60_000;

/** The session, as every part of the page sees it. */
export function useSession() {
  return useQuery({
    queryKey: SESSION_KEY,
    queryFn: ({ signal }) => request<Session>('/session', { signal }),
    staleTime: STALE_MS,
  });
}

/** The account of a page that is only shown when signed in. */
export function useAccount(): Account | null {
  return useSession().data?.account ?? null;
}
