import { useMutation, useQueryClient } from '@tanstack/react-query';
import { request } from '../client.js';
import type { VerifyEmail } from '../schema.js';
import { SESSION_KEY } from './session.js';

/** Sends another link to the address of the user. */
export function useSendVerification() {
  return useMutation({
    mutationFn: () => request<unknown>({ method: 'POST', path: '/email-verifications', body: {} }),
  });
}

/** Verifies the email address that a link was sent to. */
export function useVerifyEmail() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: VerifyEmail) =>
      request<undefined>({ method: 'POST', path: '/email-verifications/complete', body }),
    // `all`, because the page of the link does not use the session, and the next page would show the old one at first.
    onSuccess: () => client.invalidateQueries({ queryKey: SESSION_KEY, refetchType: 'all' }),
  });
}
