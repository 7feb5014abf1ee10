import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { client as api, type Page, request } from '../client.js';
import { hasEnded } from './job.js';
import { REPORTED } from '../is-repeatable.js';
import { isGone } from '../problem.js';
import { listRenewal, RENEWED } from '../renew-list.js';
import type { SessionJob } from '../schema.js';
import { useFault } from '../use-fault.js';
import { useJobsChanged } from './use-jobs-changed.js';

export interface JobFilter {
  readonly status: string;
  readonly operation: string;
  /** Hours back from now, as text; empty for any time. */
  readonly since: string;
  /** Part of the photo's name; omitted or empty for any. */
  readonly name?: string;
}

export const JOBS_KEY = ['jobs'] as const;
const PAGE_SIZE = 100;
const HOUR_MS = 3_600_000;
/** A response that takes longer is abandoned, because later refreshes wait for it. */
const REFRESH_MS = 30_000;
/** The start of the period moves in steps, so that the query stays the same while its pages are read. */
const STEP_MS = 60_000;

const readPage = (
  { status, operation, since, name = '' }: JobFilter,
  cursor: string | null,
  signal: AbortSignal,
) => {
  // The API reports canceled jobs as failed. The dashboard lists them separately.
  const canceled = status === 'canceled' ? 'true' : status === 'failed' ? 'false' : undefined;
  const query = {
    limit: PAGE_SIZE,
    cursor: cursor ?? undefined,
    status: status === 'canceled' ? 'failed' : given(status),
    canceled,
    operation: given(operation),
    name: given(name),
    createdAfter: since === '' ? undefined : startOf(Number(since)),
  };
  return request<Page<SessionJob>>({ method: 'GET', path: '/ai/enhance', query }, { signal });
};

const given = (text: string): string | undefined => (text === '' ? undefined : text);

function startOf(hours: number): string {
  const nowMs = Math.floor(Date.now() / STEP_MS) * STEP_MS;
  return new Date(nowMs - hours * HOUR_MS).toISOString();
}

/**
 * The jobs of the account, newest first, as far as they were scrolled to. After a change, only the newest page is read
 * and merged into the list, and older ones with jobs that have not ended, so that 10,000 loaded jobs are not requested
 * again.
 */
export function useJobs(filter: JobFilter) {
  const client = useQueryClient();
  const queryKey = useMemo(() => [...JOBS_KEY, 'list', filter], [filter]);
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => readPage(filter, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: Infinity,
    meta: RENEWED,
    // Otherwise, comparing 10,000 jobs with themselves for each new page would be the longest task of the list.
    structuralSharing: false,
    refetchOnMount: 'always',
    gcTime: 0,
  });
  const refresh = useMemo(
    () =>
      listRenewal<SessionJob>({
        client,
        queryKey,
        read: (cursor) => readPage(filter, cursor, AbortSignal.timeout(REFRESH_MS)),
        isOpen: (job) => !hasEnded(job),
      }),
    [client, filter, queryKey],
  );
  useJobsChanged(refresh);
  const items = useMemo(() => list.data?.pages.flatMap(({ data }) => data) ?? [], [list.data]);
  const { fetchNextPage, isFetchingNextPage, isFetchNextPageError, hasNextPage } = list;
  const { fault, load } = useFault(queryKey, fetchNextPage);
  const more = useCallback(() => {
    // Called again after each change of the list, so a failed request is not repeated until the user asks for it.
    if (!isFetchingNextPage && !isFetchNextPageError && fault === null) void load();
  }, [load, isFetchingNextPage, isFetchNextPageError, fault]);
  return {
    items,
    /** Loads the next page while the user scrolls, but not again after an error. */
    more,
    hasMore: hasNextPage,
    isLoadingMore: isFetchingNextPage,
    /** Why no more could be loaded. */
    moreFault: fault,
    /** Loads the next page, also after an error. */
    loadMore: () => void load(),
    isPending: list.isPending,
    isLoaded: list.data !== undefined,
    isError: list.isLoadingError,
    error: list.error ?? new Error('unknown'),
    retry: () => void list.refetch(),
  };
}

/** The current state of one job. @throws ApiError */
export async function readJob(id: string, signal?: AbortSignal): Promise<SessionJob> {
  return (await api().jobs.get(id, { signal })) as SessionJob;
}

/**
 * One job, refreshed automatically until it has ended, and then once it is deleted. Each read signs new addresses, with
 * which the pictures of an ended job would load again, so it is not refreshed for other changes.
 */
export function useJob(id: string) {
  const client = useQueryClient();
  const queryKey = useMemo(() => [...JOBS_KEY, 'one', id], [id]);
  const job = useQuery({
    queryKey,
    queryFn: ({ signal }) => readJob(id, signal),
    // The job may have changed while it was not shown, and an ended job triggers no further updates.
    refetchOnMount: 'always',
  });
  const isOver = job.data !== undefined && hasEnded(job.data);
  const isDeleted = isGone(job.error);
  const refresh = useCallback(async () => {
    if (isDeleted || (isOver && (await exists(id)))) return;
    await client.invalidateQueries({ queryKey }, REPORTED);
  }, [client, id, isDeleted, isOver, queryKey]);
  useJobsChanged(refresh);
  return job;
}

/** @throws ApiError if it is unknown */
async function exists(id: string): Promise<boolean> {
  try {
    await readJob(id, AbortSignal.timeout(REFRESH_MS));
    return true;
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
}
