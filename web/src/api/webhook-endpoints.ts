import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { query, request } from './http.js';
import type { Page } from './page.js';
import { DELIVERIES_KEY } from './webhook-deliveries.js';
import type { Endpoint, EndpointChanges, EventType, ShownEndpoint } from './webhooks.js';

const ENDPOINTS_KEY = ['webhooks', 'endpoints'] as const;
/** More than an account may have. */
const ALL = 100;
const EVENT_TYPES_STALE_MS = 600_000;
/** As often as the deliveries, whose answers decide how an endpoint fares. */
const INTERVAL_MS = 5_000;

export function useEventTypes() {
  return useQuery({
    queryKey: ['webhooks', 'events'],
    queryFn: ({ signal }) => request<{ data: readonly EventType[] }>('/webhooks/events', { signal }),
    staleTime: EVENT_TYPES_STALE_MS,
  });
}

export function useEndpoints() {
  return useQuery({
    queryKey: ENDPOINTS_KEY,
    queryFn: ({ signal }) =>
      request<Page<Endpoint>>(`/webhooks/endpoints${query({ limit: ALL })}`, { signal }),
    refetchInterval: INTERVAL_MS,
    refetchOnMount: 'always',
  });
}

/** Reads the endpoints anew; the same function each time. */
export function useEndpointsRenewal() {
  const client = useQueryClient();
  return useCallback(() => client.invalidateQueries({ queryKey: ENDPOINTS_KEY }), [client]);
}

export function useCreateEndpoint() {
  const renew = useEndpointsRenewal();
  return useMutation({
    mutationFn: (body: EndpointChanges) =>
      request<ShownEndpoint>('/webhooks/endpoints', { method: 'POST', body }),
    onSuccess: renew,
  });
}

export function useChangeEndpoint(id: string) {
  const renew = useEndpointsRenewal();
  return useMutation({
    mutationFn: (body: EndpointChanges) =>
      request<Endpoint>(`/webhooks/endpoints/${id}`, { method: 'PATCH', body }),
    onSuccess: renew,
  });
}

export function useDeleteEndpoint(id: string) {
  const renew = useEndpointsRenewal();
  return useMutation({
    mutationFn: () => request<undefined>(`/webhooks/endpoints/${id}`, { method: 'DELETE' }),
    onSuccess: renew,
  });
}

export function useRotateSecret(id: string) {
  const renew = useEndpointsRenewal();
  return useMutation({
    mutationFn: (overlapSeconds: number) =>
      request<ShownEndpoint>(`/webhooks/endpoints/${id}/rotate-secret`, {
        method: 'POST',
        body: { overlapSeconds },
      }),
    onSuccess: renew,
  });
}

/** Sends a `ping` event, which becomes a delivery like any other. */
export function usePingEndpoint(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => request<unknown>(`/webhooks/endpoints/${id}/ping`, { method: 'POST' }),
    onSuccess: () => client.invalidateQueries({ queryKey: DELIVERIES_KEY }),
  });
}

/** Sends again what an endpoint missed. @returns how many deliveries are due */
export function useRecoverEndpoint(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (since: string) =>
      request<{ deliveries: number }>(`/webhooks/endpoints/${id}/recover`, {
        method: 'POST',
        body: { since },
      }),
    onSuccess: () => client.invalidateQueries({ queryKey: DELIVERIES_KEY }),
  });
}
