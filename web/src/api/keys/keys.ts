import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { changeList } from '../change-list.js';
import { request } from '../client.js';
import type { CreateKey, IssuedKey, Key, KeyList } from '../schema.js';

/** The values of the key form. Without `expiresAt`, the expiry stays unchanged, or a new key never expires. */
export type KeyOrder = Required<Pick<CreateKey, 'name' | 'scopes' | 'allowedIps'>> &
  Pick<CreateKey, 'expiresAt' | 'livemode'>;

const KEYS_KEY = ['keys'] as const;
const ACTIVE_KEY = [...KEYS_KEY, 'active'] as const;
const INACTIVE_KEY = [...KEYS_KEY, 'inactive'] as const;
const PAGE_SIZE = 20;
/** Refetch interval, because uses and expirations of keys send no notification. */
const INTERVAL_MS = 15_000;

/** The keys that work, which the plan limits, and the number of the others. */
export function useKeys() {
  return useQuery({
    queryKey: ACTIVE_KEY,
    queryFn: ({ signal }) =>
      request<KeyList>({ method: 'GET', path: '/keys', query: { active: 'true' } }, { signal }),
    refetchInterval: INTERVAL_MS,
    refetchOnMount: 'always',
  });
}

/** The keys that were revoked or have expired, newest first. */
export function useInactiveKeys() {
  return useInfiniteQuery({
    queryKey: INACTIVE_KEY,
    queryFn: ({ pageParam, signal }) =>
      request<KeyList>(
        {
          method: 'GET',
          path: '/keys',
          query: { active: 'false', limit: PAGE_SIZE, cursor: pageParam ?? undefined },
        },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    refetchOnMount: 'always',
    gcTime: 0,
  });
}

/** Refetches the keys. Returns the same function on every render. */
export function useKeysRenewal() {
  const client = useQueryClient();
  return useCallback(() => client.invalidateQueries({ queryKey: KEYS_KEY }), [client]);
}

/** Does not wait for the renewed list, so that the key is shown at once. */
export function useCreateKey() {
  const renew = useKeysRenewal();
  return useMutation({
    mutationFn: (body: KeyOrder) => request<IssuedKey>({ method: 'POST', path: '/keys', body }),
    onSettled: () => void renew(),
  });
}

export function useUpdateKey(id: string) {
  const client = useQueryClient();
  const renew = useKeysRenewal();
  return useMutation({
    mutationFn: (body: KeyOrder) => request<Key>({ method: 'PATCH', path: `/keys/${id}`, body }),
    onSuccess: (changed) =>
      changeList<Key>(client, ACTIVE_KEY, (keys) => keys.map((key) => (key.id === id ? changed : key))),
    onSettled: () => void renew(),
  });
}

/** Does not wait for the renewed list, so that the new key is shown at once. */
export function useRotateKey(id: string) {
  const renew = useKeysRenewal();
  return useMutation({
    mutationFn: (overlapSeconds: number) =>
      request<IssuedKey>({ method: 'POST', path: `/keys/${id}/rotate`, body: { overlapSeconds } }),
    onSettled: () => void renew(),
  });
}

export function useRevokeKey(id: string) {
  const client = useQueryClient();
  const renew = useKeysRenewal();
  return useMutation({
    mutationFn: () => request<undefined>({ method: 'DELETE', path: `/keys/${id}` }),
    onSuccess: () => changeList<Key>(client, ACTIVE_KEY, (keys) => keys.filter((key) => key.id !== id)),
    onSettled: () => void renew(),
  });
}
