import { useQuery } from '@tanstack/react-query';
import { requestConsole } from '../client.js';
import type { Settings } from './schema.js';

/** The settings of the api process that responds. */
export function useSettings() {
  return useQuery({
    queryKey: ['operator', 'settings'],
    queryFn: ({ signal }) => requestConsole<Settings>({ method: 'GET', path: '/settings' }, { signal }),
    refetchOnMount: 'always',
  });
}
