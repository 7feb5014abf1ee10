import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { request } from '../client.js';
import type {
  AppCode,
  PasswordConfirmation,
  RecoveryCodes,
  TwoFactorSetup,
  TwoFactorStatus,
} from '../schema.js';

const TWO_FACTOR_KEY = ['two-factor'] as const;

/** Whether the user signs in with a second factor. */
export function useTwoFactor() {
  return useQuery({
    queryKey: TWO_FACTOR_KEY,
    queryFn: ({ signal }) => request<TwoFactorStatus>({ method: 'GET', path: '/two-factor' }, { signal }),
    refetchOnMount: 'always',
  });
}

/** Asks for the secret of a new authenticator app. */
export function useBeginTwoFactorSetup() {
  return useMutation({
    mutationFn: (body: PasswordConfirmation) =>
      request<TwoFactorSetup>({ method: 'POST', path: '/two-factor/setup', body }),
  });
}

/** Does not wait for the renewed state, so that the codes are shown at once. */
export function useEnableTwoFactor() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: AppCode) =>
      request<RecoveryCodes>({ method: 'POST', path: '/two-factor/enable', body }),
    onSettled: () => void client.invalidateQueries({ queryKey: TWO_FACTOR_KEY }),
  });
}

/** Does not wait for the renewed state, so that the codes are shown at once. */
export function useReplaceRecoveryCodes() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: PasswordConfirmation) =>
      request<RecoveryCodes>({ method: 'POST', path: '/two-factor/recovery-codes', body }),
    onSettled: () => void client.invalidateQueries({ queryKey: TWO_FACTOR_KEY }),
  });
}

export function useDisableTwoFactor() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: PasswordConfirmation) =>
      request<undefined>({ method: 'POST', path: '/two-factor/disable', body }),
    onSettled: () => client.invalidateQueries({ queryKey: TWO_FACTOR_KEY }),
  });
}
