import { useMutation, useQueryClient } from '@tanstack/react-query';
import { request } from './http.js';
import { type Session, SESSION_KEY } from './session.js';

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** A new person on this page sees nothing of the one before. */
function useSessionChange() {
  const client = useQueryClient();
  return (session: Session) => {
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] });
    client.setQueryData(SESSION_KEY, session);
  };
}

export function useSignIn() {
  const change = useSessionChange();
  return useMutation({
    mutationFn: (body: Credentials) => request<Session>('/sign-in', { method: 'POST', body }),
    onSuccess: change,
  });
}

/** The service answers a taken address like a free one; only the password decides what follows. */
export function useSignUp() {
  const change = useSessionChange();
  return useMutation({
    mutationFn: async (body: Credentials) => {
      await request<unknown>('/sign-up', { method: 'POST', body });
      return request<Session>('/sign-in', { method: 'POST', body });
    },
    onSuccess: change,
  });
}

export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => request<undefined>('/sign-out', { method: 'POST' }),
    // Whatever was kept in the page goes with the session.
    onSuccess: () => window.location.assign('/sign-in'),
    onError: () => void client.invalidateQueries({ queryKey: SESSION_KEY }),
  });
}

export function useChangePassword() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { readonly currentPassword: string; readonly newPassword: string }) =>
      request<Session>('/account/password', { method: 'POST', body }),
    onSuccess: (session) => client.setQueryData(SESSION_KEY, session),
  });
}

export function useDeleteAccount() {
  return useMutation({
    mutationFn: (body: { readonly password: string; readonly confirmation: string }) =>
      request<undefined>('/account/delete', { method: 'POST', body }),
    onSuccess: () => window.location.assign('/sign-up'),
  });
}
