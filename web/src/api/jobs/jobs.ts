import { type InfiniteData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { client as api, type Page, request } from '../client.js';
import { hasEnded } from './job.js';
import { mergeNewest } from '../merge-newest.js';
import type { SessionJob } from '../schema.js';
import { useJobsChanged } from './use-jobs-changed.js';

export interface JobFilter {
  readonly status: string;
  readonly operation: string;
  /** Hours back from now, as text; empty: any time. */
  readonly since: string;
  /** Part of the name of the photo; left out or empty: any. */
  readonly name?: string;
}

export const JOBS_KEY = ['jobs'] as const;
const PAGE_SIZE = 100;
const HOUR_MS = 3_600_000;
/** An answer that takes longer is given up: the ones behind it wait. */
const REFRESH_MS = 30_000;
/** The start of the period moves in steps, so that the question stays the same while it is read. */
const STEP_MS = 60_000;

const readPage = (
  { status, operation, since, name = '' }: JobFilter,
  cursor: string | null,
  signal: AbortSignal,
) => {
  // A canceled job is a failed one for programs. For people it is not.
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
 * The jobs of the account, newest first, as far as they were scrolled to. When something changes only the newest
 * page is read again and laid over what is there: ten thousand loaded jobs are not asked for anew.
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
    // Comparing ten thousand jobs with themselves at each new page would be the longest task of the list.
    structuralSharing: false,
    refetchOnMount: 'always',
    gcTime: 0,
  });
  const refresh = useCallback(async () => {
    const newest = await readPage(filter, null, AbortSignal.timeout(REFRESH_MS));
    client.setQueryData<InfiniteData<Page<SessionJob>, string | null>>(queryKey, (data) =>
      data === undefined ? data : mergeNewest(data, newest),
    );
  }, [client, filter, queryKey]);
  useJobsChanged(refresh);
  const items = useMemo(() => list.data?.pages.flatMap(({ data }) => data) ?? [], [list.data]);
  const { fetchNextPage, isFetchingNextPage, hasNextPage } = list;
  const more = useCallback(() => {
    if (!isFetchingNextPage) void fetchNextPage();
  }, [fetchNextPage, isFetchingNextPage]);
  return {
    items,
    more,
    hasMore: hasNextPage,
    isLoadingMore: isFetchingNextPage,
    isPending: list.isPending,
    isSuccess: list.isSuccess,
    isError: list.isError && list.data === undefined,
    error: list.error ?? new Error('unknown'),
    retry: () => void list.refetch(),
  };
}

/** One job as it is now. @throws ApiError */
export async function readJob(id: string, signal?: AbortSignal): Promise<SessionJob> {
  return (await api().jobs.get(id, { signal })) as SessionJob;
}

/** One job, kept current until it has ended. */
export function useJob(id: string) {
  const client = useQueryClient();
  const queryKey = useMemo(() => [...JOBS_KEY, 'one', id], [id]);
  const job = useQuery({
    queryKey,
    queryFn: ({ signal }) => readJob(id, signal),
    // It may have moved on while nobody looked, and one that has ended is not heard of again.
    refetchOnMount: 'always',
  });
  const isOver = job.data !== undefined && hasEnded(job.data);
  const refresh = useCallback(async () => {
    if (!isOver) await client.invalidateQueries({ queryKey });
  }, [client, isOver, queryKey]);
  useJobsChanged(refresh);
  return job;
}
