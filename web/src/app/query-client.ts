import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from 'image-enhancement-client';

const STALE_MS = 15_000;
const RETRIES = 2;

/**
 * Where every answer is kept. `not_signed_in` anywhere means that the session is over: it is told once, here.
 * @param onSignedOut called for each answer that says so
 */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const onError = (error: Error) => {
    if (error instanceof ApiError && error.code === 'not_signed_in') onSignedOut();
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
