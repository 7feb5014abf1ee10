import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { request } from '../client.js';
import type { LinkedIdentityList } from '../schema.js';

const IDENTITIES_KEY = ['identities'] as const;

/** Users of the OpenID provider who sign in to the account. */
export function useIdentities() {
  return useQuery({
    queryKey: IDENTITIES_KEY,
    queryFn: ({ signal }) => request<LinkedIdentityList>({ method: 'GET', path: '/identities' }, { signal }),
    refetchOnMount: 'always',
  });
}

export interface IdentityToUnlink {
  readonly id: string;
  readonly password: string;
}

export function useUnlinkIdentity() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, password }: IdentityToUnlink) =>
      request<LinkedIdentityList>({ method: 'POST', path: `/identities/${id}/unlink`, body: { password } }),
    onSuccess: (list) => client.setQueryData(IDENTITIES_KEY, list),
  });
}
