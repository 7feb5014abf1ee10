import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { changeList } from '../change-list.js';
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
    onSuccess: (changed) =>
      changeList<Member>(client, MEMBERS_KEY, (members) =>
        members.map((member) => (member.userId === userId ? changed : member)),
      ),
    onSettled: () => void client.invalidateQueries({ queryKey: MEMBERS_KEY }),
  });
}

export function useRemoveMember(userId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => request<undefined>({ method: 'DELETE', path: `/members/${userId}` }),
    onSuccess: () =>
      changeList<Member>(client, MEMBERS_KEY, (members) =>
        members.filter((member) => member.userId !== userId),
      ),
    onSettled: () => void client.invalidateQueries({ queryKey: MEMBERS_KEY }),
  });
}

/** Leaves the organization. The session then switches to the user's own account. */
export function useLeave() {
  return useMutation({
    mutationFn: () => request<Session>({ method: 'POST', path: '/members/leave', body: {} }),
    onSuccess: () => enterOrganization(),
  });
}
