import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { request } from '../client.js';
import type { EmailChange, EmailChangeToken, PendingEmailChange, RequestEmailChange } from '../schema.js';
import { requestSession, SESSION_KEY } from './session.js';

export const PENDING_EMAIL_CHANGE_KEY = ['email-change'] as const;

const PENDING_PATH = '/email-changes/pending';

/** The change that waits for its link; null if there is none. */
export function usePendingEmailChange() {
  return useQuery({
    queryKey: PENDING_EMAIL_CHANGE_KEY,
    queryFn: async ({ signal }) =>
      (await request<PendingEmailChange>({ method: 'GET', path: PENDING_PATH }, { signal })).change,
    refetchOnMount: 'always',
  });
}

/** Sends a link to the new address. The response does not reveal whether the address has an account. */
export function useRequestEmailChange() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: RequestEmailChange) =>
      request<unknown>({ method: 'POST', path: '/email-changes', body }),
    onSuccess: () => client.invalidateQueries({ queryKey: PENDING_EMAIL_CHANGE_KEY }),
  });
}

/** Sends another link, which replaces the earlier one. */
export function useSendEmailChangeAgain() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () =>
      request<PendingEmailChange>({ method: 'POST', path: `${PENDING_PATH}/send-again`, body: {} }),
    onSettled: () => client.invalidateQueries({ queryKey: PENDING_EMAIL_CHANGE_KEY }),
  });
}

/** Ends the link. */
export function useCancelEmailChange() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => request<undefined>({ method: 'DELETE', path: PENDING_PATH }),
    onSettled: () => client.invalidateQueries({ queryKey: PENDING_EMAIL_CHANGE_KEY }),
  });
}

/** What a link changes. The service tells only the user who asked for it. */
export function useEmailChangePreview(token: string) {
  return useQuery({
    queryKey: ['email-change-preview', token],
    queryFn: ({ signal }) =>
      request<EmailChange>({ method: 'POST', path: '/email-changes/preview', body: { token } }, { signal }),
    refetchOnMount: 'always',
  });
}

/** Changes the address by the link, which ends all other sessions. */
export function useCompleteEmailChange() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: EmailChangeToken) =>
      requestSession({ method: 'POST', path: '/email-changes/complete', body }),
    onSuccess: (session) => client.setQueryData(SESSION_KEY, session),
  });
}
