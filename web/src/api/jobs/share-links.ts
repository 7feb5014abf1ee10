import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { request } from '../client.js';
import type { CreateShareLink, NewShareLink, ShareLinkList } from '../schema.js';

const SHARE_LINKS_KEY = ['share-links'] as const;
const PATH = '/ai/share-links';

/**
 * Active links, newest first. Without their URLs, which are returned only on creation.
 * @param jobId only links to the result of this job
 */
export function useShareLinks(jobId?: string) {
  return useQuery({
    queryKey: [...SHARE_LINKS_KEY, jobId ?? 'all'],
    queryFn: ({ signal }) =>
      request<ShareLinkList>({ method: 'GET', path: PATH, query: { jobId } }, { signal }),
    refetchOnMount: 'always',
  });
}

export function useCreateShareLink() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: CreateShareLink) => request<NewShareLink>({ method: 'POST', path: PATH, body }),
    // Not awaited, so that the link is shown at once.
    onSettled: () => void client.invalidateQueries({ queryKey: SHARE_LINKS_KEY }),
  });
}

/** @param onRevoked called with the id of the link, even if the component is gone by then */
export function useRevokeShareLink(onRevoked?: (id: string) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => request<undefined>({ method: 'DELETE', path: `${PATH}/${id}` }),
    onSuccess: (_nothing, id) => onRevoked?.(id),
    onSettled: () => client.invalidateQueries({ queryKey: SHARE_LINKS_KEY }),
  });
}
