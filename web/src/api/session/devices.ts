import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { request } from '../client.js';
import type { SignedInDeviceList } from '../schema.js';

export const DEVICES_KEY = ['devices'] as const;

/** The devices on which the user is signed in. */
export function useDevices() {
  return useQuery({
    queryKey: DEVICES_KEY,
    queryFn: ({ signal }) => request<SignedInDeviceList>({ method: 'GET', path: '/sessions' }, { signal }),
    refetchOnMount: 'always',
  });
}

/** Signs one device out. */
export function useEndSession() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => request<undefined>({ method: 'DELETE', path: `/sessions/${id}` }),
    onSettled: () => client.invalidateQueries({ queryKey: DEVICES_KEY }),
  });
}

/** Signs out every other device. */
export function useEndOtherSessions() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => request<undefined>({ method: 'POST', path: '/sessions/end-others' }),
    onSettled: () => client.invalidateQueries({ queryKey: DEVICES_KEY }),
  });
}
