import { useQuery } from '@tanstack/react-query';
import { request } from '../client.js';
import type { ModelList } from '../schema.js';

/** Workers report their batches about this often. */
const INTERVAL_MS = 15_000;

export function useModels() {
  return useQuery({
    queryKey: ['models'],
    queryFn: ({ signal }) => request<ModelList>({ method: 'GET', path: '/models' }, { signal }),
    refetchInterval: INTERVAL_MS,
    refetchOnMount: 'always',
  });
}
