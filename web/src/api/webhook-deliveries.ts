import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { query, request } from './http.js';
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

/** Newest first; read again now and then while only the newest are shown. */
export function useDeliveries(filter: DeliveryFilter) {
  return useInfiniteQuery({
    queryKey: [...DELIVERIES_KEY, 'list', filter],
    queryFn: ({ pageParam, signal }) =>
      request<Page<Delivery>>(
        `/webhooks/deliveries${query({ limit: PAGE_SIZE, cursor: pageParam, ...filter })}`,
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? LIST_INTERVAL_MS : false),
  });
}

export function useDelivery(id: string) {
  return useQuery({
    queryKey: [...DELIVERIES_KEY, 'one', id],
    queryFn: ({ signal }) => request<Delivery>(`/webhooks/deliveries/${encodeURIComponent(id)}`, { signal }),
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
