import { MutationCache, notifyManager, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from 'image-enhancement-client';

const STALE_MS = 15_000;
const RETRIES = 2;

/** Error codes which mean that the page has an outdated session. */
const SESSION_CODES: ReadonlySet<string> = new Set(['not_signed_in', 'insufficient_role']);

/**
 * Creates the cache of all responses. `not_signed_in` in any response means that the session has ended, and
 * `insufficient_role` that the role may have changed. Both are handled here, in one place.
 * @param onOutdated called for each response with such an error
 */
export function createQueryClient(onOutdated: () => void): QueryClient {
  // The default is a timer, which may run after the second click of a double click: the button would not be busy yet.
  notifyManager.setScheduler(queueMicrotask);
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
      // Without a connection, a change fails at once. Otherwise, it would be made after it, even if canceled by then.
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

/** Whether a retry may succeed: there was no response, or a server error. */
function isWorthRetrying(error: Error): boolean {
  return !(error instanceof ApiError) || error.status >= 500;
}
