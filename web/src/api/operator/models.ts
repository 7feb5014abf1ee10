import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { requestConsole } from '../client.js';
import type {
  CanaryFigures,
  ConsoleModels,
  ConsoleOperation,
  Reloaded,
  SetCanary,
  SetShadow,
  ShadowFigures,
} from './schema.js';

const MODELS_KEY = ['operator', 'models'] as const;
const INTERVAL_MS = 5_000;
const FIGURES_INTERVAL_MS = 15_000;

/** The versions of all models, and the workers that have loaded them. */
export function useConsoleModels() {
  return useQuery({
    queryKey: MODELS_KEY,
    queryFn: ({ signal }) => requestConsole<ConsoleModels>({ method: 'GET', path: '/models' }, { signal }),
    refetchInterval: INTERVAL_MS,
    refetchOnMount: 'always',
  });
}

/** Makes every worker rescan its models now. */
export function useReloadModels() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => requestConsole<Reloaded>({ method: 'POST', path: '/models/reload' }),
    onSettled: () => client.invalidateQueries({ queryKey: MODELS_KEY }),
  });
}

/** Chooses the version of an operation that serves; null chooses the highest valid one. */
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

/** Starts a canary, or changes its share. */
export function useSetCanary(operation: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: SetCanary) =>
      requestConsole<ConsoleOperation>({ method: 'PUT', path: `/models/${operation}/canary`, body }),
    onSettled: () => client.invalidateQueries({ queryKey: MODELS_KEY }),
  });
}

/** Makes the canary serve all customers, or none. */
export function useEndCanary(operation: string, version: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (how: 'promote' | 'cancel') =>
      requestConsole<ConsoleOperation>({
        method: 'POST',
        path: `/models/${operation}/canary/${how}`,
        body: { version },
      }),
    onSettled: () => client.invalidateQueries({ queryKey: MODELS_KEY }),
  });
}

/** The results of the canary and of the serving version since the canary started. */
export function useCanaryFigures(operation: string, version: number) {
  return useQuery({
    queryKey: [...MODELS_KEY, operation, 'canary', version],
    queryFn: ({ signal }) =>
      requestConsole<CanaryFigures>({ method: 'GET', path: `/models/${operation}/canary` }, { signal }),
    refetchInterval: FIGURES_INTERVAL_MS,
  });
}

/** Starts a shadow, or changes its share. */
export function useSetShadow(operation: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: SetShadow) =>
      requestConsole<ConsoleOperation>({ method: 'PUT', path: `/models/${operation}/shadow`, body }),
    onSettled: () => client.invalidateQueries({ queryKey: MODELS_KEY }),
  });
}

/** Stops comparing further jobs. */
export function useStopShadow(operation: string, version: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () =>
      requestConsole<ConsoleOperation>({
        method: 'POST',
        path: `/models/${operation}/shadow/stop`,
        body: { version },
      }),
    onSettled: () => client.invalidateQueries({ queryKey: MODELS_KEY }),
  });
}

/** How the results of the shadow differ from those of the version that serves. */
export function useShadowFigures(operation: string, version: number) {
  return useQuery({
    queryKey: [...MODELS_KEY, operation, 'shadow', version],
    queryFn: ({ signal }) =>
      requestConsole<ShadowFigures>({ method: 'GET', path: `/models/${operation}/shadow` }, { signal }),
    refetchInterval: FIGURES_INTERVAL_MS,
  });
}
