import { useQuery } from '@tanstack/react-query';
import { request } from './http.js';

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

export function useUsage() {
  return useQuery({
    queryKey: ['usage'],
    queryFn: ({ signal }) => request<Usage>('/usage', { signal }),
  });
}

export function useUsageHistory(days: number) {
  return useQuery({
    queryKey: ['usage', 'history', days],
    queryFn: ({ signal }) => request<UsageHistory>(`/usage/history?days=${days}`, { signal }),
    placeholderData: (before) => before,
  });
}

export function useRates() {
  return useQuery({
    queryKey: ['usage', 'rate'],
    queryFn: ({ signal }) => request<{ data: readonly KeyRate[] }>('/usage/rate', { signal }),
    refetchInterval: RATE_INTERVAL_MS,
  });
}
