import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { requestConsole } from '../client.js';
import type { ConsoleModels, ConsoleOperation, Reloaded } from './schema.js';

const MODELS_KEY = ['operator', 'models'] as const;
const INTERVAL_MS = 5_000;

/** The versions of all models, and the workers that have loaded them. */
export function useConsoleModels() {
  return useQuery({
    queryKey: MODELS_KEY,
    queryFn: ({ signal }) => requestConsole<ConsoleModels>({ method: 'GET', path: '/models' }, { signal }),
    refetchInterval: INTERVAL_MS,
    refetchOnMount: 'always',
  });
}

/** Makes every worker look at its models now. */
export function useReloadModels() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => requestConsole<Reloaded>({ method: 'POST', path: '/models/reload' }),
    onSettled: () => client.invalidateQueries({ queryKey: MODELS_KEY }),
  });
}

/** Chooses the version of an operation that serves; null: the highest valid one. */
export function useChooseVersion(operation: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (version: number | null) =>
      requestConsole<ConsoleOperation>({
        method: 'PUT',
        path: `/models/${operation}/serving`,
        body: { version },
      }),
    onSettled: () => client.invalidateQueries({ queryKey: MODELS_KEY }),
  });
}
