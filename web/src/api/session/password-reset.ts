import { useMutation, useQueryClient } from '@tanstack/react-query';
import { request } from '../client.js';
import type { RequestPasswordReset, ResetPassword } from '../schema.js';
import { SESSION_KEY } from './session.js';

/** Requests a reset link. The response does not reveal whether the address has an account. */
export function useRequestPasswordReset() {
  return useMutation({
    mutationFn: (body: RequestPasswordReset) =>
      request<unknown>({ method: 'POST', path: '/password-resets', body }),
  });
}

/** Sets the password with a link. This ends every session. */
export function useResetPassword() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: ResetPassword) =>
      request<undefined>({ method: 'POST', path: '/password-resets/complete', body }),
    onSuccess: () => client.invalidateQueries({ queryKey: SESSION_KEY }),
  });
}
