import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { requestConsole } from '../client.js';
import { useConsolePages } from './console-pages.js';
import type { FailedJobList, FailureCounts, Rerun } from './schema.js';

const PAGE_SIZE = 50;
const KEY = ['operator', 'failed-jobs'] as const;
const HOUR_MS = 3_600_000;

/** Empty fields are omitted. */
export interface FailureFilters {
  readonly code: string;
  readonly operation: string;
  readonly account: string;
  /** Hours back from now. */
  readonly hours: string;
}

const queryOf = ({ code, operation, account, hours }: FailureFilters) => ({
  code: code || undefined,
  operation: operation || undefined,
  account: account || undefined,
  since: hours === '' ? undefined : new Date(Date.now() - Number(hours) * HOUR_MS).toISOString(),
});

/** Failed jobs of all accounts, newest first. */
export function useFailedJobs(filters: FailureFilters) {
  return useConsolePages<FailedJobList>({
    queryKey: [...KEY, 'list', filters],
    path: '/failed-jobs',
    pageSize: PAGE_SIZE,
    queryOf: () => queryOf(filters),
  });
}

/** The number of failed jobs for each reason. */
export function useFailureCounts({ code: _code, ...filters }: FailureFilters) {
  return useQuery({
    queryKey: [...KEY, 'counts', filters],
    queryFn: ({ signal }) =>
      requestConsole<FailureCounts>(
        { method: 'GET', path: '/failed-jobs/counts', query: queryOf({ code: '', ...filters }) },
        { signal },
      ),
    placeholderData: (before) => before,
    refetchOnMount: 'always',
  });
}

export function useRunAgain(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => requestConsole<Rerun>({ method: 'POST', path: `/failed-jobs/${id}/run-again` }),
    onSettled: () => client.invalidateQueries({ queryKey: KEY }),
  });
}
