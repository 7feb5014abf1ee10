import { useMutation, useQueryClient } from '@tanstack/react-query';
import { request } from '../client.js';
import type { RequestPasswordReset, ResetPassword } from '../schema.js';
import { SESSION_KEY } from './session.js';

/** Asks for a link. The answer does not tell whether the address has an account. */
export function useRequestPasswordReset() {
  return useMutation({
    mutationFn: (body: RequestPasswordReset) =>
      request<unknown>({ method: 'POST', path: '/password-resets', body }),
  });
}

/** Sets the password by a link, which ends every session. */
export function useResetPassword() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: ResetPassword) =>
      request<undefined>({ method: 'POST', path: '/password-resets/complete', body }),
    onSuccess: () => client.invalidateQueries({ queryKey: SESSION_KEY }),
  });
}
