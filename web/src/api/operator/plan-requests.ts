import { useMutation, useQueryClient } from '@tanstack/react-query';
import { requestConsole } from '../client.js';
import { useConsolePages } from './console-pages.js';
import type { ApprovePlan, ConsolePlanRequest, ConsolePlanRequestList, DeclinePlan } from './schema.js';

/** Few, because the list of accounts is below them. */
const PAGE_SIZE = 5;
const KEY = ['operator', 'plan-requests'] as const;

/** Open requests of all customers for another plan, oldest first. */
export function usePlanRequests() {
  return useConsolePages<ConsolePlanRequestList>({
    queryKey: KEY,
    path: '/plan-requests',
    pageSize: PAGE_SIZE,
    queryOf: () => ({}),
  });
}

function useDecision<Body extends object>(id: string, decision: 'approve' | 'decline') {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Body) =>
      requestConsole<ConsolePlanRequest>({ method: 'POST', path: `/plan-requests/${id}/${decision}`, body }),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: KEY }),
        client.invalidateQueries({ queryKey: ['operator', 'accounts'] }),
      ]),
  });
}

export const useApprovePlan = (id: string) => useDecision<ApprovePlan>(id, 'approve');

export const useDeclinePlan = (id: string) => useDecision<DeclinePlan>(id, 'decline');
