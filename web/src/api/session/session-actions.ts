import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { request } from '../client.js';
import type { ChangePassword, Credentials, DeleteAccount, Session, SignInCode } from '../schema.js';
import { DEVICES_KEY } from './devices.js';
import { PENDING_EMAIL_CHANGE_KEY } from './email-change.js';
import { enterOrganization } from './organization-change.js';
import { requestSession, SESSION_KEY } from './session.js';
import { CHOSEN_PHOTOS_KEY, clearUserStorage } from './user-storage.js';

const KEPT: ReadonlySet<unknown> = new Set([SESSION_KEY[0], CHOSEN_PHOTOS_KEY[0]]);

/**
 * Discards all data of the user except the session, so that the next user of this tab does not see it. Keeps the chosen
 * photos, which only the same user sees after signing in again.
 */
export function forgetUser(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey }) => !KEPT.has(queryKey[0]) });
  clearUserStorage();
}

/** Clears the cache, so that a new user on this page sees no data of the previous one. */
export function useSessionChange() {
  const client = useQueryClient();
  return (session: Session) => {
    client.removeQueries({ predicate: ({ queryKey }) => !KEPT.has(queryKey[0]) });
    client.setQueryData(SESSION_KEY, session);
  };
}

export function useSignIn() {
  const change = useSessionChange();
  return useMutation({
    mutationFn: (body: Credentials) => requestSession({ method: 'POST', path: '/sign-in', body }),
    onSuccess: change,
  });
}

/** The second step of a sign-in. */
export function useEnterCode() {
  const change = useSessionChange();
  return useMutation({
    mutationFn: (body: SignInCode) => requestSession({ method: 'POST', path: '/sign-in/two-factor', body }),
    onSuccess: change,
  });
}

/** The service responds identically to taken and free addresses, so only the sign-in that follows can fail. */
export function useSignUp() {
  const change = useSessionChange();
  return useMutation({
    mutationFn: async (body: Credentials) => {
      await request<unknown>({ method: 'POST', path: '/sign-up', body });
      return requestSession({ method: 'POST', path: '/sign-in', body });
    },
    onSuccess: change,
  });
}

/** @param next the page to load afterward */
export function useSignOut(next = '/sign-in') {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => request<undefined>({ method: 'POST', path: '/sign-out' }),
    onSuccess: () => {
      // Loading another page discards all other data of the session. Other tabs do the same.
      clearUserStorage();
      enterOrganization(next);
    },
    onError: () => void client.invalidateQueries({ queryKey: SESSION_KEY }),
  });
}

/** Ends all other sessions. */
export function useChangePassword() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: ChangePassword) => requestSession({ method: 'POST', path: '/account/password', body }),
    onSuccess: (session) => {
      client.setQueryData(SESSION_KEY, session);
      // A new password also ends the link of a pending change of the address.
      for (const queryKey of [DEVICES_KEY, PENDING_EMAIL_CHANGE_KEY])
        void client.invalidateQueries({ queryKey });
    },
  });
}

/** @param next the page to load afterward */
export function useDeleteAccount(next: string) {
  return useMutation({
    mutationFn: (body: DeleteAccount) =>
      request<undefined>({ method: 'POST', path: '/account/delete', body }),
    onSuccess: () => enterOrganization(next),
  });
}
