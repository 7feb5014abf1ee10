import { useMutation, useQueryClient } from '@tanstack/react-query';
import { request } from '../client.js';
import type { CompleteEmailChange, RequestEmailChange } from '../schema.js';
import { requestSession, SESSION_KEY } from './session.js';

/** Sends a link to the new address. The response does not reveal whether the address has an account. */
export function useRequestEmailChange() {
  return useMutation({
    mutationFn: (body: RequestEmailChange) =>
      request<unknown>({ method: 'POST', path: '/email-changes', body }),
  });
}

/** Changes the address by the link, which ends all other sessions. */
export function useCompleteEmailChange() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: CompleteEmailChange) =>
      requestSession({ method: 'POST', path: '/email-changes/complete', body }),
    onSuccess: (session) => client.setQueryData(SESSION_KEY, session),
  });
}
