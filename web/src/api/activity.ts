import { useInfiniteQuery } from '@tanstack/react-query';
import { query, request } from './http.js';
import type { Page } from './page.js';

/** One thing that was done with the account. */
export interface ActivityEvent {
  readonly id: string;
  readonly createdAt: string;
  readonly action: string;
  /** The action in words. */
  readonly title: string;
  readonly actor: { readonly kind: 'person' | 'key' | 'operator' | 'system'; readonly keyId: string | null };
  readonly targetId: string | null;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

const PAGE_SIZE = 50;

/** Newest first. @param group only actions of one kind; empty for all */
export function useActivity(group: string) {
  return useInfiniteQuery({
    queryKey: ['activity', group],
    queryFn: ({ pageParam, signal }) =>
      request<Page<ActivityEvent>>(`/audit${query({ limit: PAGE_SIZE, cursor: pageParam, group })}`, {
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    refetchOnMount: 'always',
    gcTime: 0,
  });
}
