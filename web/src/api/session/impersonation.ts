import { useMutation } from '@tanstack/react-query';
import { expectMove } from './session-fetch.js';
import { requestConsole } from '../client.js';
import type { Account } from '../schema.js';

/** Back to the console, to the account that was seen. */
export function useEndImpersonation(account: Account | null) {
  const back = () => window.location.assign(account === null ? '/' : `/operator/accounts/${account.id}`);
  return useMutation({
    mutationFn: () => requestConsole<unknown>({ method: 'POST', path: '/sign-in-as/end' }),
    onMutate: expectMove,
    // An error may mean that it has ended already: the reloaded page shows the truth.
    onSettled: back,
  });
}
