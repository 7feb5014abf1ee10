import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import type { List } from 'image-enhancement-client';
import { client as api, pageOf } from '../client.js';
import { removeItems } from '../remove-items.js';
import type { SessionSource } from '../schema.js';
import { API_BASE } from '../api-base.js';

const SOURCES_KEY = ['sources'] as const;
const PAGE_SIZE = 24;
const STALE_MS = 60_000;

/** Thumbnail of a photo. Some very large photos have none. */
export const thumbnailOf = ({ id }: SessionSource): string => `${API_BASE}/ai/sources/${id}/thumbnail`;

/** The uploaded photos that still exist, newest first. */
export function useSources() {
  return useInfiniteQuery({
    queryKey: SOURCES_KEY,
    queryFn: ({ pageParam, signal }) =>
      pageOf(
        api().sources.list(
          { limit: PAGE_SIZE, cursor: pageParam ?? undefined },
          { signal },
        ) as List<SessionSource>,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: STALE_MS,
    refetchOnMount: 'always',
  });
}

/** The current state of one photo. @throws ApiError */
export async function readSource(id: string, signal: AbortSignal): Promise<SessionSource> {
  return (await api().sources.get(id, { signal })) as SessionSource;
}

/** Erases a photo and removes it from the list, without refetching the others. */
export function useDeleteSource() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api().sources.delete(id),
    onSuccess: (_nothing, id) => {
      removeItems(client, SOURCES_KEY, new Set([id]));
      void client.invalidateQueries({ queryKey: ['usage'] });
    },
  });
}
