import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { requestConsole } from '../client.js';
import type { Worker, WorkerList, WorkerLog } from './schema.js';

const WORKERS_KEY = ['operator', 'workers'] as const;
const LIST_INTERVAL_MS = 3_000;
const LOG_INTERVAL_MS = 5_000;

export type WorkerAction = 'drain' | 'resume' | 'restart';

/** The worker processes. */
export function useWorkers() {
  return useQuery({
    queryKey: WORKERS_KEY,
    queryFn: ({ signal }) => requestConsole<WorkerList>({ method: 'GET', path: '/workers' }, { signal }),
    refetchInterval: LIST_INTERVAL_MS,
    refetchOnMount: 'always',
  });
}

/** Tells a worker what to do. */
export function useWorkerAction(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (action: WorkerAction) =>
      requestConsole<Worker>({ method: 'POST', path: `/workers/${id}/${action}` }),
    onSettled: () => client.invalidateQueries({ queryKey: WORKERS_KEY }),
  });
}

/** The last lines of a worker's log. */
export function useWorkerLog(id: string) {
  return useQuery({
    queryKey: [...WORKERS_KEY, id, 'log'],
    queryFn: ({ signal }) =>
      requestConsole<WorkerLog>({ method: 'GET', path: `/workers/${id}/log` }, { signal }),
    refetchInterval: LOG_INTERVAL_MS,
    refetchOnMount: 'always',
    gcTime: 0,
  });
}
