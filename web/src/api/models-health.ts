import { useQuery } from '@tanstack/react-query';
import { problemOf, ApiError, unreachable } from './api-error.js';

export interface ModelWorker {
  readonly id: string;
  readonly device: string;
  /** `draining`: it takes no new jobs. */
  readonly state: 'serving' | 'draining';
  readonly versions: readonly { readonly operation: string; readonly version: number }[];
  readonly startedAt: string;
  readonly seenAt: string;
}

export interface ModelRefusal {
  readonly operation: string;
  readonly version: string;
  /** What is wrong, where, and what to do. */
  readonly message: string;
}

export interface ModelsHealth {
  readonly status: 'ok' | 'degraded';
  readonly refusals: readonly ModelRefusal[];
  readonly workers: readonly ModelWorker[];
}

const INTERVAL_MS = 15_000;

/** Which workers live and what they have in memory; a public page of the service, not of the account. */
export function useModelsHealth() {
  return useQuery({
    queryKey: ['health', 'models'],
    queryFn: ({ signal }) => read(signal),
    refetchInterval: INTERVAL_MS,
    refetchOnMount: 'always',
  });
}

async function read(signal: AbortSignal): Promise<ModelsHealth> {
  const answer = await fetch('/health/models', { signal }).catch(() => {
    throw unreachable();
  });
  if (!answer.ok) throw new ApiError(problemOf(answer.status, await answer.text()));
  return (await answer.json()) as ModelsHealth;
}
