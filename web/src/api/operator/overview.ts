import { useQuery } from '@tanstack/react-query';
import { readPublic } from '../client.js';
import type { LoadHistory, Overview } from './schema.js';

const OVERVIEW_INTERVAL_MS = 5_000;
const HISTORY_INTERVAL_MS = 60_000;

export type Span = LoadHistory['span'];

/** The current load of the whole service. */
export function useOverview() {
  return useQuery({
    queryKey: ['operator', 'overview'],
    queryFn: ({ signal }) => readPublic<Overview>('/operator/api/overview', { signal }),
    refetchInterval: OVERVIEW_INTERVAL_MS,
    refetchOnMount: 'always',
  });
}

/** The load of the last hour, day or week. */
export function useLoadHistory(span: Span) {
  return useQuery({
    queryKey: ['operator', 'history', span],
    queryFn: ({ signal }) => readPublic<LoadHistory>(`/operator/api/history?span=${span}`, { signal }),
    placeholderData: (before) => before,
    refetchInterval: HISTORY_INTERVAL_MS,
    refetchOnMount: 'always',
  });
}
