import {
  type InfiniteData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { Delivery, List } from 'image-enhancement-client';
import { client as api, type Page, pageOf } from '../client.js';
import { mergeNewest } from '../merge-newest.js';
import type { SessionDelivery } from '../schema.js';
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

type Deliveries = InfiniteData<Page<SessionDelivery>, string | null>;

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

/** The loaded deliveries, newest first. The newest page is refetched periodically and merged into them. */
export function useDeliveries(filter: DeliveryFilter) {
  const queryKey = [...DELIVERIES_KEY, 'list', filter];
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => readPage(filter, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: Infinity,
    refetchOnMount: 'always',
    gcTime: 0,
  });
  useNewestDeliveries(filter, queryKey);
  return list;
}

/** Refreshes the list under `listKey`. */
function useNewestDeliveries(filter: DeliveryFilter, listKey: readonly unknown[]): void {
  const client = useQueryClient();
  useQuery({
    queryKey: [...DELIVERIES_KEY, 'newest', filter],
    queryFn: async ({ signal }) => {
      const newest = await readPage(filter, null, signal);
      client.setQueryData<Deliveries>(listKey, (list) => list && mergeNewest(list, newest));
      return newest.data.length;
    },
    // The list itself begins with the newest page.
    initialData: 0,
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
