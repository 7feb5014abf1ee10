import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { request } from '../client.js';
import type { Member, MemberList, Session } from '../schema.js';
import { enterOrganization } from '../session/organization-change.js';

export type Role = Member['role'];

const MEMBERS_KEY = ['members'] as const;

/** The members of the current organization. */
export function useMembers() {
  return useQuery({
    queryKey: MEMBERS_KEY,
    queryFn: ({ signal }) => request<MemberList>({ method: 'GET', path: '/members' }, { signal }),
    refetchOnMount: 'always',
  });
}

export function useSetRole(userId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (role: Role) =>
      request<Member>({ method: 'PATCH', path: `/members/${userId}`, body: { role } }),
    onSettled: () => client.invalidateQueries({ queryKey: MEMBERS_KEY }),
  });
}

export function useRemoveMember(userId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => request<undefined>({ method: 'DELETE', path: `/members/${userId}` }),
    onSettled: () => client.invalidateQueries({ queryKey: MEMBERS_KEY }),
  });
}

/** Leaves the organization. The session then switches to the user's own account. */
export function useLeave() {
  return useMutation({
    mutationFn: () => request<Session>({ method: 'POST', path: '/members/leave', body: {} }),
    onSuccess: () => enterOrganization(),
  });
}
