import { useMutation, useQuery } from '@tanstack/react-query';
import { request } from '../client.js';
import type { OrganizationList, Session } from '../schema.js';
import { enterOrganization } from '../session/organization-change.js';

/** The organizations of the user, their own account first. */
export function useOrganizations() {
  return useQuery({
    queryKey: ['organizations'],
    queryFn: ({ signal }) => request<OrganizationList>({ method: 'GET', path: '/organizations' }, { signal }),
  });
}

/** Creates an organization. The session then switches to it. */
export function useCreateOrganization() {
  return useMutation({
    mutationFn: (name: string) =>
      request<Session>({ method: 'POST', path: '/organizations', body: { name } }),
    onSuccess: () => enterOrganization('/members'),
  });
}

export function useSwitchOrganization() {
  return useMutation({
    mutationFn: (id: string) =>
      request<Session>({ method: 'POST', path: `/organizations/${id}/switch`, body: {} }),
    onSuccess: () => enterOrganization(),
  });
}
