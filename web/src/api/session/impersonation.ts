import { useMutation } from '@tanstack/react-query';
import { expectMove } from './session-fetch.js';
import { requestConsole } from '../client.js';
import type { Account } from '../schema.js';

/** Ends the impersonation and returns to the account's page in the console. */
export function useEndImpersonation(account: Account | null) {
  const back = () => window.location.assign(account === null ? '/' : `/operator/accounts/${account.id}`);
  return useMutation({
    mutationFn: () => requestConsole<unknown>({ method: 'POST', path: '/sign-in-as/end' }),
    onMutate: expectMove,
    // An error may mean that the impersonation has already ended. The reloaded page shows the actual state.
    onSettled: back,
  });
}
