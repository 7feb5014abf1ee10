import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { BatchWithSkipped, CreateBatch } from 'image-enhancement-client';
import { useMemo } from 'react';
import { atMostEvery } from '../../lib/async/at-most-every.js';
import { request } from '../client.js';
import { isRepeatable, REPORTED } from '../is-repeatable.js';
import { useJobsChanged } from '../jobs/use-jobs-changed.js';
import type { SessionBatchDetail, SessionBatchList, SessionJob, SessionJobList } from '../schema.js';
import { API_BASE } from '../api-base.js';

const BATCHES_KEY = ['batches'] as const;
const PAGE_SIZE = 20;
const ITEMS_PAGE_SIZE = 100;
/** The jobs of a batch end one after the other, so its views refresh at most this often. */
const INTERVAL_MS = 2_000;

/** URL for downloading the results of an ended batch. */
export const archivePath = (id: string): string => `${API_BASE}${pathOf(id)}/results.zip`;

const pathOf = (id: string): string => `/ai/batches/${encodeURIComponent(id)}`;

/** Whether the batch will not change before a retry. */
export function hasBatchEnded({ status }: Pick<SessionBatchDetail, 'status'>): boolean {
  return status === 'completed' || status === 'canceled';
}

/** The batches of the account, newest first. */
export function useBatches() {
  const queryKey = useMemo(() => [...BATCHES_KEY, 'list'], []);
  useRenewal(queryKey);
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      request<SessionBatchList>(
        { method: 'GET', path: '/ai/batches', query: { limit: PAGE_SIZE, cursor: pageParam ?? undefined } },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    refetchOnMount: 'always',
  });
}

/** One batch, refreshed automatically, together with the jobs that `useBatchItems` has loaded. */
export function useBatch(id: string) {
  const queryKey = useMemo(() => [...BATCHES_KEY, id], [id]);
  useRenewal(queryKey);
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => request<SessionBatchDetail>({ method: 'GET', path: pathOf(id) }, { signal }),
    refetchOnMount: 'always',
  });
}

/** The loaded jobs of a batch, in the order of its photos. `useBatch` refreshes them. @param status only jobs with this status; empty: all */
export function useBatchItems(id: string, status: SessionJob['status'] | '' = '') {
  return useInfiniteQuery({
    queryKey: [...BATCHES_KEY, id, 'items', status],
    queryFn: ({ pageParam, signal }) => {
      const query = {
        limit: ITEMS_PAGE_SIZE,
        cursor: pageParam ?? undefined,
        status: status === '' ? undefined : status,
      };
      return request<SessionJobList>({ method: 'GET', path: `${pathOf(id)}/jobs`, query }, { signal });
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    refetchOnMount: 'always',
    gcTime: 0,
  });
}

/**
 * @param idempotencyKey the same for every attempt at one order, so that only one batch is created
 * @throws ApiError, ConnectionError
 */
export function createBatch(order: CreateBatch, idempotencyKey: string): Promise<BatchWithSkipped> {
  return request({ method: 'POST', path: '/ai/batches', body: order, idempotencyKey });
}

export function useCancelBatch(id: string) {
  const renew = useBatchesRenewal();
  return useMutation({
    mutationFn: () => request<unknown>({ method: 'POST', path: `${pathOf(id)}/cancel` }),
    onSettled: renew,
  });
}

/** Creates a new job for each failed photo. It costs again what was refunded for the failed one. */
export function useRetryBatch(id: string) {
  const renew = useBatchesRenewal();
  return useMutation({
    mutationFn: (idempotencyKey: string) =>
      request<BatchWithSkipped>({ method: 'POST', path: `${pathOf(id)}/retry`, body: {}, idempotencyKey }),
    onSettled: renew,
  });
}

function useBatchesRenewal() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: BATCHES_KEY });
}

/** Refetches a query when jobs of the account change. */
function useRenewal(queryKey: readonly string[]): void {
  const client = useQueryClient();
  const renew = useMemo(
    () => atMostEvery(INTERVAL_MS, () => client.invalidateQueries({ queryKey }, REPORTED), isRepeatable),
    [client, queryKey],
  );
  useJobsChanged(renew);
}
