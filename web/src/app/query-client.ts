import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from 'image-enhancement-client';

const STALE_MS = 15_000;
const RETRIES = 2;

/** Errors which say that the page knows an outdated session. */
const SESSION_CODES: ReadonlySet<string> = new Set(['not_signed_in', 'insufficient_role']);

/**
 * Where every answer is kept. `not_signed_in` anywhere means that the session is over, and `insufficient_role` that the
 * role may have changed: it is told once, here.
 * @param onOutdated called for each answer that says so
 */
export function createQueryClient(onOutdated: () => void): QueryClient {
  const onError = (error: Error) => {
    if (error instanceof ApiError && SESSION_CODES.has(error.code)) onOutdated();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: STALE_MS,
        retry: (count, error) => count < RETRIES && isWorthRetrying(error),
      },
      mutations: { retry: false },
    },
  });
}

/** What a later attempt may change: no answer at all, or one that says "later". */
function isWorthRetrying(error: Error): boolean {
  return !(error instanceof ApiError) || error.status >= 500;
}
