import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { atMostEvery } from '../lib/at-most-every.js';
import { request } from './http.js';
import { useJobsChanged } from './use-jobs-changed.js';

/** What the plan allows and what is used of it. */
export interface Usage {
  readonly plan: string;
  readonly period: string;
  readonly requestsPerMinute: { readonly limit: number };
  readonly enhancements: {
    readonly limit: number;
    readonly used: number;
    readonly remaining: number;
    readonly resetsAt: string;
  };
  readonly storage: {
    readonly limitBytes: number;
    readonly usedBytes: number;
    readonly remainingBytes: number;
  };
}

/** Day by day, oldest first; every list is as long as `days` (UTC, `2026-11-01`). */
export interface UsageHistory {
  readonly days: readonly string[];
  readonly enhancements: readonly number[];
  readonly storageBytes: readonly number[];
  /** `id` null: the dashboard itself. */
  readonly keys: readonly {
    readonly id: string | null;
    readonly name: string;
    readonly enhancements: readonly number[];
  }[];
}

/** Requests of one key in the minute that ends now. `resetAt` in Unix seconds. */
export interface KeyRate {
  readonly keyId: string;
  readonly name: string;
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  readonly resetAt: number;
}

const RATE_INTERVAL_MS = 5_000;
/** The history is the dearest answer of the page: while many jobs move it follows them in steps. */
const HISTORY_INTERVAL_MS = 5_000;
const USAGE_KEY = ['usage'];
const HISTORY_KEY = [...USAGE_KEY, 'history'];

/** What is used now: read anew whenever it is shown and each time a job has begun, ended or gone. */
export function useUsage() {
  const client = useQueryClient();
  const refresh = useCallback(() => client.invalidateQueries({ queryKey: USAGE_KEY, exact: true }), [client]);
  useJobsChanged(refresh);
  return useQuery({
    queryKey: USAGE_KEY,
    queryFn: ({ signal }) => request<Usage>('/usage', { signal }),
    refetchOnMount: 'always',
  });
}

/** Follows the jobs as the meters do, a little later. */
export function useUsageHistory(days: number) {
  const client = useQueryClient();
  const refresh = useMemo(
    () => atMostEvery(HISTORY_INTERVAL_MS, () => client.invalidateQueries({ queryKey: HISTORY_KEY })),
    [client],
  );
  useJobsChanged(refresh);
  return useQuery({
    queryKey: [...HISTORY_KEY, days],
    queryFn: ({ signal }) => request<UsageHistory>(`/usage/history?days=${days}`, { signal }),
    placeholderData: (before) => before,
    refetchOnMount: 'always',
  });
}

export function useRates() {
  return useQuery({
    queryKey: [...USAGE_KEY, 'rate'],
    queryFn: ({ signal }) => request<{ data: readonly KeyRate[] }>('/usage/rate', { signal }),
    refetchInterval: RATE_INTERVAL_MS,
  });
}
