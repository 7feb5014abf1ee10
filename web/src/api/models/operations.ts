import { useQuery } from '@tanstack/react-query';
import { client as api } from '../client.js';

/** The built-in operations, shown until the service has listed what it offers. */
const SPECIFIED = ['smooth_skin', 'upscale', 'auto_enhance', 'bg_remove'] as const;
const STALE_MS = 300_000;

export interface Operations {
  readonly names: readonly string[];
  /** Whether the result of an operation has a transparent background. */
  readonly producesAlpha: (operation: string) => boolean;
}

/** The operations of this installation, the built-in ones first. */
export function useOperations(): Operations {
  const operations = useQuery({
    queryKey: ['operations'],
    queryFn: ({ signal }) => api().operations({ signal }),
    staleTime: STALE_MS,
  });
  const offered = operations.data?.map(({ operation }) => operation) ?? [];
  const withAlpha = operations.data?.filter((one) => one.producesAlpha).map(({ operation }) => operation);
  return {
    names: [...SPECIFIED, ...offered.filter((name) => !SPECIFIED.some((known) => known === name))],
    producesAlpha: (operation) => withAlpha?.includes(operation) ?? operation === 'bg_remove',
  };
}
