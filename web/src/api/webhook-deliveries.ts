import {
  type InfiniteData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { query, request } from './http.js';
import { mergeNewest } from './merge-newest.js';
import type { Page } from './page.js';
import type { Delivery } from './webhooks.js';

export interface DeliveryFilter {
  readonly endpointId: string;
  readonly eventType: string;
  readonly status: string;
}

export const DELIVERIES_KEY = ['webhooks', 'deliveries'] as const;
const PAGE_SIZE = 50;
const PENDING_INTERVAL_MS = 2_000;
const LIST_INTERVAL_MS = 5_000;

type Deliveries = InfiniteData<Page<Delivery>, string | null>;

const readPage = (filter: DeliveryFilter, cursor: string | null, signal: AbortSignal) =>
  request<Page<Delivery>>(`/webhooks/deliveries${query({ limit: PAGE_SIZE, cursor, ...filter })}`, {
    signal,
  });

/** Newest first, as far as older ones were asked for; the newest page is laid over them now and then. */
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

/** Keeps the list under `listKey` current. */
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
    queryFn: ({ signal }) => request<Delivery>(`/webhooks/deliveries/${encodeURIComponent(id)}`, { signal }),
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? PENDING_INTERVAL_MS : false),
  });
}

export function useRedeliver(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => request<Delivery>(`/webhooks/deliveries/${id}/redeliver`, { method: 'POST' }),
    onSuccess: () => client.invalidateQueries({ queryKey: DELIVERIES_KEY }),
  });
}
