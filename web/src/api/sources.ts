import { type InfiniteData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { API_BASE, query, request } from './http.js';
import type { Page } from './page.js';
import type { Source } from './source.js';

const SOURCES_KEY = ['sources'] as const;
const PAGE_SIZE = 24;
const STALE_MS = 60_000;

/** A small picture of a photo; there is none of a few very large ones. */
export const thumbnailOf = ({ id }: Source): string => `${API_BASE}/sources/${id}/thumbnail`;

type Sources = InfiniteData<Page<Source>, string | null>;

/** The uploaded photos that are still there, newest first. */
export function useSources() {
  return useInfiniteQuery({
    queryKey: SOURCES_KEY,
    queryFn: ({ pageParam, signal }) =>
      request<Page<Source>>(`/sources${query({ limit: PAGE_SIZE, cursor: pageParam })}`, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: STALE_MS,
    refetchOnMount: 'always',
  });
}

/** Erases a photo and takes it from the list, without asking for the others again. */
export function useDeleteSource() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      request<undefined>(`/sources/${encodeURIComponent(id)}`, { method: 'DELETE' }),
    onSuccess: (_nothing, id) => {
      client.setQueryData<Sources>(SOURCES_KEY, (sources) => sources && without(sources, id));
      return client.invalidateQueries({ queryKey: ['usage'] });
    },
  });
}

function without(sources: Sources, id: string): Sources {
  const pages = sources.pages.map((page) => {
    const data = page.data.filter((source) => source.id !== id);
    return Object.assign({}, page, { data });
  });
  return { ...sources, pages };
}
