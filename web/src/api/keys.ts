import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Upgrade } from './api-error.js';
import { request } from './http.js';

export type KeyStatus = 'active' | 'replaced' | 'expired' | 'revoked';

/** A key without its secret part. `replaced`: works until `expiresAt`, beside the one that came after it. */
export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly last4: string;
  readonly scopes: readonly string[];
  readonly status: KeyStatus;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly replacedById: string | null;
  /** Networks (CIDR) from which it may be used; null: from anywhere. */
  readonly allowedIps: readonly string[] | null;
}

/** With the secret part: only in the answer that made it. */
export interface ShownKey extends ApiKey {
  readonly key: string;
}

export interface KeyList {
  readonly data: readonly ApiKey[];
  readonly limit: number;
  readonly active: number;
  readonly upgrade: Upgrade | null;
}

export interface NewKey {
  readonly name: string;
  readonly scopes: readonly string[];
  /** Left out: as it is, or never for a new key. */
  readonly expiresAt?: string | null;
  /** Addresses or networks; empty: from anywhere. */
  readonly allowedIps: readonly string[];
}

const KEYS_KEY = ['keys'] as const;
/** Programs use keys and time ends them: nothing on this page tells when. */
const INTERVAL_MS = 15_000;

export function useKeys() {
  return useQuery({
    queryKey: KEYS_KEY,
    queryFn: ({ signal }) => request<KeyList>('/keys', { signal }),
    refetchInterval: INTERVAL_MS,
    refetchOnMount: 'always',
  });
}

/** Reads the keys anew; the same function each time. */
export function useKeysRenewal() {
  const client = useQueryClient();
  return useCallback(() => client.invalidateQueries({ queryKey: KEYS_KEY }), [client]);
}

export function useCreateKey() {
  const renew = useKeysRenewal();
  return useMutation({
    mutationFn: (body: NewKey) => request<ShownKey>('/keys', { method: 'POST', body }),
    onSettled: renew,
  });
}

export function useUpdateKey(id: string) {
  const renew = useKeysRenewal();
  return useMutation({
    mutationFn: (body: NewKey) => request<ApiKey>(`/keys/${id}`, { method: 'PATCH', body }),
    onSettled: renew,
  });
}

export function useRotateKey(id: string) {
  const renew = useKeysRenewal();
  return useMutation({
    mutationFn: (overlapSeconds: number) =>
      request<ShownKey>(`/keys/${id}/rotate`, { method: 'POST', body: { overlapSeconds } }),
    onSettled: renew,
  });
}

export function useRevokeKey(id: string) {
  const renew = useKeysRenewal();
  return useMutation({
    mutationFn: () => request<undefined>(`/keys/${id}`, { method: 'DELETE' }),
    onSettled: renew,
  });
}
