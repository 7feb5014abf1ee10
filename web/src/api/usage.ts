import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { atMostEvery } from '../lib/async/at-most-every.js';
import { client as api, request } from './client.js';
import { isRepeatable, REPORTED } from './is-repeatable.js';
import type { KeyRateList, UsageHistory } from './schema.js';
import { useFollowsJobs, useJobsChanged } from './jobs/use-jobs-changed.js';
import { API_BASE } from './api-base.js';

const RATE_INTERVAL_MS = 5_000;
/** The history is the most expensive query of the page, so it is refetched at most this often while jobs change. */
const HISTORY_INTERVAL_MS = 5_000;
/** For roles that see the usage, but not the jobs that change it. */
const POLL_MS = 60_000;
const USAGE_KEY = ['usage'];
const HISTORY_KEY = [...USAGE_KEY, 'history'];

/** How often the usage is refetched, apart from changes of jobs. */
function usePollInterval(): number | false {
  return useFollowsJobs() ? false : POLL_MS;
}

/** The current usage. Refetched whenever it is shown, and after each change of a job. */
export function useUsage() {
  const client = useQueryClient();
  const refresh = useCallback(
    () => client.invalidateQueries({ queryKey: USAGE_KEY, exact: true }, REPORTED),
    [client],
  );
  useJobsChanged(refresh);
  return useQuery({
    queryKey: USAGE_KEY,
    queryFn: ({ signal }) => api().usage({ signal }),
    refetchOnMount: 'always',
    refetchInterval: usePollInterval(),
  });
}

/** The usage history. Follows the jobs like the meters, with a delay. */
export function useUsageHistory(days: number) {
  const client = useQueryClient();
  const refresh = useMemo(
    () =>
      atMostEvery(
        HISTORY_INTERVAL_MS,
        () => client.invalidateQueries({ queryKey: HISTORY_KEY }, REPORTED),
        isRepeatable,
      ),
    [client],
  );
  useJobsChanged(refresh);
  return useQuery({
    queryKey: [...HISTORY_KEY, days],
    queryFn: ({ signal }) =>
      request<UsageHistory>({ method: 'GET', path: '/usage/history', query: { days } }, { signal }),
    placeholderData: (before) => before,
    refetchOnMount: 'always',
    refetchInterval: usePollInterval(),
  });
}

export function useRates() {
  return useQuery({
    queryKey: [...USAGE_KEY, 'rate'],
    queryFn: ({ signal }) => request<KeyRateList>({ method: 'GET', path: '/usage/rate' }, { signal }),
    refetchInterval: RATE_INTERVAL_MS,
  });
}

const DAY_MS = 86_400_000;

/** URL for downloading the usage of the last `days` days, including today. */
export function usageCsvPath(days: number, nowMs: number = Date.now()): string {
  const from = new Date(nowMs - (days - 1) * DAY_MS).toISOString().slice(0, 10);
  return `${API_BASE}/usage/export?from=${from}`;
}
