import {
  type QueryKey,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { Delivery, List } from 'image-enhancement-client';
import { useMemo } from 'react';
import { client as api, pageOf } from '../client.js';
import { listRenewal, RENEWED } from '../renew-list.js';
import type { SessionDelivery } from '../schema.js';
import { useFault } from '../use-fault.js';
import type { DeliveryStatus } from './webhooks.js';

export interface DeliveryFilter {
  readonly endpointId: string;
  readonly eventType: string;
  readonly status: string;
}

export const DELIVERIES_KEY = ['webhooks', 'deliveries'] as const;
const PAGE_SIZE = 50;
const PENDING_INTERVAL_MS = 2_000;
const LIST_INTERVAL_MS = 5_000;
/** A response that takes longer is abandoned, because later refreshes wait for it. */
const REFRESH_MS = 30_000;

const readPage = (filter: DeliveryFilter, cursor: string | null, signal: AbortSignal) =>
  pageOf(
    api().webhooks.deliveries.list(
      {
        limit: PAGE_SIZE,
        cursor: cursor ?? undefined,
        endpointId: filter.endpointId || undefined,
        eventType: (filter.eventType || undefined) as Delivery['eventType'] | undefined,
        status: (filter.status || undefined) as DeliveryStatus | undefined,
      },
      { signal },
    ) as List<SessionDelivery>,
  );

/**
 * The loaded deliveries, newest first. The newest page, and older ones with pending deliveries, are refetched
 * periodically and merged into them.
 */
export function useDeliveries(filter: DeliveryFilter) {
  const queryKey = useMemo(() => [...DELIVERIES_KEY, 'list', filter], [filter]);
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => readPage(filter, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: Infinity,
    meta: RENEWED,
    refetchOnMount: 'always',
    gcTime: 0,
  });
  useRenewal(filter, queryKey);
  const { fault, load } = useFault(queryKey, list.fetchNextPage);
  /** With why no more could be loaded, and how to load the next page, also after an error. */
  return { list, moreFault: fault, loadMore: load };
}

/** Refreshes the list under `listKey`. */
function useRenewal(filter: DeliveryFilter, listKey: QueryKey): void {
  const client = useQueryClient();
  const renew = useMemo(
    () =>
      listRenewal<SessionDelivery>({
        client,
        queryKey: listKey,
        read: (cursor) => readPage(filter, cursor, AbortSignal.timeout(REFRESH_MS)),
        isOpen: ({ status }) => status === 'pending',
      }),
    [client, filter, listKey],
  );
  useQuery({
    queryKey: [...DELIVERIES_KEY, 'newest', filter],
    queryFn: async () => {
      await renew();
      return null;
    },
    // The list itself begins with the newest page.
    initialData: null,
    staleTime: Infinity,
    gcTime: 0,
    refetchInterval: LIST_INTERVAL_MS,
  });
}

export function useDelivery(id: string) {
  return useQuery({
    queryKey: [...DELIVERIES_KEY, 'one', id],
    queryFn: async ({ signal }) => (await api().webhooks.deliveries.get(id, { signal })) as SessionDelivery,
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? PENDING_INTERVAL_MS : false),
  });
}

export function useRedeliver(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api().webhooks.deliveries.redeliver(id),
    onSuccess: () => client.invalidateQueries({ queryKey: DELIVERIES_KEY }),
  });
}
