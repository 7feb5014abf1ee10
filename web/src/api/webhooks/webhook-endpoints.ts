import type { CreateEndpoint, Endpoint, UpdateEndpoint } from 'image-enhancement-client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { changeList } from '../change-list.js';
import { client as api, pageOf } from '../client.js';
import { DELIVERIES_KEY } from './webhook-deliveries.js';

const ENDPOINTS_KEY = ['webhooks', 'endpoints'] as const;
/** Above the maximum number of endpoints of an account. */
const ALL = 100;
const EVENT_TYPES_STALE_MS = 600_000;
/** As often as the deliveries, because these determine the state of an endpoint. */
const INTERVAL_MS = 5_000;

export function useEventTypes() {
  return useQuery({
    queryKey: ['webhooks', 'events'],
    queryFn: ({ signal }) => api().webhooks.events({ signal }),
    staleTime: EVENT_TYPES_STALE_MS,
  });
}

export function useEndpoints() {
  return useQuery({
    queryKey: ENDPOINTS_KEY,
    queryFn: ({ signal }) => pageOf(api().webhooks.endpoints.list({ limit: ALL }, { signal })),
    refetchInterval: INTERVAL_MS,
    refetchOnMount: 'always',
  });
}

/** Refetches the endpoints. Returns the same function on every render. */
export function useEndpointsRenewal() {
  const client = useQueryClient();
  return useCallback(() => client.invalidateQueries({ queryKey: ENDPOINTS_KEY }), [client]);
}

/** Does not wait for the renewed list, so that the secret is shown at once. */
export function useCreateEndpoint() {
  const renew = useEndpointsRenewal();
  return useMutation({
    mutationFn: (endpoint: CreateEndpoint) => api().webhooks.endpoints.create(endpoint),
    onSuccess: () => void renew(),
  });
}

export function useChangeEndpoint(id: string) {
  const client = useQueryClient();
  const renew = useEndpointsRenewal();
  return useMutation({
    mutationFn: (changes: UpdateEndpoint) => api().webhooks.endpoints.update(id, changes),
    onSuccess: (changed) => {
      changeList<Endpoint>(client, ENDPOINTS_KEY, (list) =>
        list.map((one) => (one.id === id ? changed : one)),
      );
      void renew();
    },
  });
}

/** @param onDeleted also called if the component is gone by then */
export function useDeleteEndpoint(id: string, onDeleted: () => void) {
  const client = useQueryClient();
  const renew = useEndpointsRenewal();
  return useMutation({
    mutationFn: () => api().webhooks.endpoints.delete(id),
    onSuccess: () => {
      changeList<Endpoint>(client, ENDPOINTS_KEY, (list) => list.filter((one) => one.id !== id));
      void renew();
      onDeleted();
    },
  });
}

/** Does not wait for the renewed list, so that the secret is shown at once. */
export function useRotateSecret(id: string) {
  const renew = useEndpointsRenewal();
  return useMutation({
    mutationFn: (overlapSeconds: number) => api().webhooks.endpoints.rotateSecret(id, { overlapSeconds }),
    onSuccess: () => void renew(),
  });
}

/** Sends a `ping` event, which creates an ordinary delivery. */
export function usePingEndpoint(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api().webhooks.endpoints.ping(id),
    onSuccess: () => void client.invalidateQueries({ queryKey: DELIVERIES_KEY }),
  });
}

/** Sends the events again that an endpoint missed. @returns the number of due deliveries */
export function useRecoverEndpoint(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (since: string) => api().webhooks.endpoints.recover(id, since),
    onSuccess: () => void client.invalidateQueries({ queryKey: DELIVERIES_KEY }),
  });
}
