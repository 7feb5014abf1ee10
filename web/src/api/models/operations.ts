import { useQuery } from '@tanstack/react-query';
import { client as api } from '../client.js';

/** What the specification promises; shown until the installation has said what it offers. */
const SPECIFIED = ['smooth_skin', 'upscale', 'auto_enhance', 'bg_remove'] as const;
const STALE_MS = 300_000;

/** The operations this installation offers, the specified ones first. */
export function useOperations(): { readonly names: readonly string[] } {
  const operations = useQuery({
    queryKey: ['operations'],
    queryFn: ({ signal }) => api().operations({ signal }),
    staleTime: STALE_MS,
  });
  const offered = operations.data?.map(({ operation }) => operation) ?? [];
  return { names: [...SPECIFIED, ...offered.filter((name) => !SPECIFIED.some((known) => known === name))] };
}
