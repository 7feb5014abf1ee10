import { useQuery } from '@tanstack/react-query';
import { readPublic } from '../client.js';
import type { ModelHealth } from '../schema.js';

const INTERVAL_MS = 15_000;

/**
 * The live workers and the models that they have loaded. From a public page of the service, so not specific to the
 * account.
 */
export function useModelsHealth() {
  return useQuery({
    queryKey: ['health', 'models'],
    queryFn: ({ signal }) => readPublic<ModelHealth>('/health/models', { signal }),
    refetchInterval: INTERVAL_MS,
    refetchOnMount: 'always',
  });
}
