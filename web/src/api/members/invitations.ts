import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { changeList } from '../change-list.js';
import { request } from '../client.js';
import type {
  CreateInvitation,
  Invitation,
  InvitationLink,
  InvitationList,
  InvitationPreview,
  Session,
} from '../schema.js';
import { enterOrganization } from '../session/organization-change.js';

const INVITATIONS_KEY = ['invitations'] as const;

/** Invitations of the current organization that nobody has accepted yet. */
export function useInvitations(isEnabled: boolean) {
  return useQuery({
    queryKey: INVITATIONS_KEY,
    queryFn: ({ signal }) => request<InvitationList>({ method: 'GET', path: '/invitations' }, { signal }),
    refetchOnMount: 'always',
    enabled: isEnabled,
  });
}

/** Does not wait for the renewed list, so that the link is shown at once. */
export function useInvite() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: CreateInvitation) =>
      request<InvitationLink>({ method: 'POST', path: '/invitations', body }),
    onSettled: () => void client.invalidateQueries({ queryKey: INVITATIONS_KEY }),
  });
}

/** Replaces the link with a new one, which is shown at once: it does not wait for the renewed list. */
export function useRenewInvitation(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => request<InvitationLink>({ method: 'POST', path: `/invitations/${id}/renew`, body: {} }),
    onSettled: () => void client.invalidateQueries({ queryKey: INVITATIONS_KEY }),
  });
}

export function useRevokeInvitation(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => request<undefined>({ method: 'DELETE', path: `/invitations/${id}` }),
    onSuccess: () =>
      changeList<Invitation>(client, INVITATIONS_KEY, (list) => list.filter((one) => one.id !== id)),
    onSettled: () => void client.invalidateQueries({ queryKey: INVITATIONS_KEY }),
  });
}

/** The invitation behind a link. @param token undefined without a link */
export function useInvitationPreview(token: string | undefined) {
  return useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) =>
      request<InvitationPreview>(
        { method: 'POST', path: '/invitation/preview', body: { token } },
        { signal },
      ),
    enabled: token !== undefined,
  });
}

export function useAcceptInvitation() {
  return useMutation({
    mutationFn: (token: string) =>
      request<Session>({ method: 'POST', path: '/invitation/accept', body: { token } }),
    onSuccess: () => enterOrganization(),
  });
}
