import { useQuery } from '@tanstack/react-query';
import { request } from './http.js';

export interface Operation {
  readonly operation: string;
}

/** What the specification promises; shown until the installation has said what it offers. */
const SPECIFIED = ['smooth_skin', 'upscale', 'auto_enhance', 'bg_remove'] as const;
const STALE_MS = 300_000;

/** The operations this installation offers, the specified ones first. */
export function useOperations(): { readonly names: readonly string[] } {
  const operations = useQuery({
    queryKey: ['operations'],
    queryFn: ({ signal }) => request<{ data: readonly Operation[] }>('/operations', { signal }),
    staleTime: STALE_MS,
  });
  const offered = operations.data?.data.map(({ operation }) => operation) ?? [];
  return { names: [...SPECIFIED, ...offered.filter((name) => !SPECIFIED.some((known) => known === name))] };
}
