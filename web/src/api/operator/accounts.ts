import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { expectMove } from '../session/session-fetch.js';
import { requestConsole } from '../client.js';
import { useConsolePages } from './console-pages.js';
import type {
  ConsoleAccountDetail,
  ConsoleAccountList,
  ConsoleDeleteAccount,
  Impersonate,
  SetPlan,
  SignedOut,
  Suspend,
  TemporaryPassword,
  UseImpersonationLink,
} from './schema.js';

const PAGE_SIZE = 50;
const ACCOUNTS_KEY = ['operator', 'accounts'] as const;
const accountKey = (id: string) => ['operator', 'account', id] as const;

/** Filters for the list of accounts. Empty fields are omitted. */
export interface AccountFilters {
  readonly search: string;
  readonly plan: string;
  readonly status: string;
}

/** The newest accounts, or those that match the search. */
export function useConsoleAccounts({ search, plan, status }: AccountFilters) {
  return useConsolePages<ConsoleAccountList>({
    queryKey: [...ACCOUNTS_KEY, search, plan, status],
    path: '/accounts',
    pageSize: PAGE_SIZE,
    queryOf: () => ({
      search: search || undefined,
      plan: plan || undefined,
      status: status || undefined,
    }),
  });
}

export function useConsoleAccount(id: string) {
  return useQuery({
    queryKey: accountKey(id),
    queryFn: ({ signal }) =>
      requestConsole<ConsoleAccountDetail>({ method: 'GET', path: `/accounts/${id}` }, { signal }),
    refetchOnMount: 'always',
    gcTime: 0,
  });
}

/** Changes one account. The response contains its new state. */
function useAccountChange<Change>(id: string, send: (change: Change) => Promise<ConsoleAccountDetail>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: (account) => client.setQueryData(accountKey(id), account),
    onError: () => void client.invalidateQueries({ queryKey: accountKey(id) }),
  });
}

export function useSetPlan(id: string) {
  return useAccountChange(id, (body: SetPlan) =>
    requestConsole<ConsoleAccountDetail>({ method: 'PUT', path: `/accounts/${id}/plan`, body }),
  );
}

export function useSuspend(id: string) {
  return useAccountChange(id, (body: Suspend) =>
    requestConsole<ConsoleAccountDetail>({ method: 'POST', path: `/accounts/${id}/suspend`, body }),
  );
}

export function useResume(id: string) {
  return useAccountChange(id, () =>
    requestConsole<ConsoleAccountDetail>({ method: 'POST', path: `/accounts/${id}/resume` }),
  );
}

/** Resets the password. The response contains the only copy of the temporary password. */
export function useResetPassword(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () =>
      requestConsole<TemporaryPassword>({ method: 'POST', path: `/accounts/${id}/reset-password` }),
    onSettled: () => void client.invalidateQueries({ queryKey: accountKey(id) }),
    gcTime: 0,
  });
}

/** Turns off two-factor authentication of the account's user. */
export function useResetTwoFactor(id: string) {
  return useAccountChange(id, () =>
    requestConsole<ConsoleAccountDetail>({ method: 'POST', path: `/accounts/${id}/reset-two-factor` }),
  );
}

/** Unlinks a user of the OpenID provider. */
export function useUnlinkIdentity(id: string) {
  return useAccountChange(id, (identityId: string) =>
    requestConsole<ConsoleAccountDetail>({
      method: 'POST',
      path: `/accounts/${id}/unlink-identity`,
      body: { identityId },
    }),
  );
}

/** Ends every session of the account's user. */
export function useSignOutEverywhere(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => requestConsole<SignedOut>({ method: 'POST', path: `/accounts/${id}/sign-out` }),
    onSettled: () => client.invalidateQueries({ queryKey: accountKey(id) }),
  });
}

/** Erases the account and everything it owns. */
export function useEraseAccount(id: string) {
  return useMutation({
    mutationFn: (body: ConsoleDeleteAccount) =>
      requestConsole<undefined>({ method: 'POST', path: `/accounts/${id}/delete`, body }),
  });
}

/** Signs in as the customer. The page then reloads, because everything on it belongs to another account. */
export function useSignInAs(id: string) {
  return useMutation({
    mutationFn: (body: Impersonate) =>
      requestConsole<unknown>({ method: 'POST', path: `/accounts/${id}/sign-in-as`, body }),
    onMutate: expectMove,
    onSuccess: () => window.location.assign('/'),
  });
}

/** Like `useSignInAs`, with a link that was created on the command line. */
export function useSignInByLink() {
  return useMutation({
    mutationFn: (body: UseImpersonationLink) =>
      requestConsole<unknown>({ method: 'POST', path: '/sign-in-as', body }),
    onMutate: expectMove,
    onSuccess: () => window.location.assign('/'),
  });
}
