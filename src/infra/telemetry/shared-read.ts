import { within } from '../../kernel/concurrency/within.js';

/** A slower read is skipped, because Prometheus abandons the whole scrape after ten seconds. */
const PATIENCE_MS = 5_000;

/**
 * Shares one read among several gauges that need it at the same time.
 * @param read may fail or hang, for example while the database is unavailable
 * @returns undefined when the read fails or is late
 */
export function sharedRead<T>(
  read: () => Promise<T>,
  patienceMs = PATIENCE_MS,
): () => Promise<T | undefined> {
  let current: Promise<T | undefined> | undefined;
  return () =>
    (current ??= within(patienceMs, read())
      .catch(() => undefined)
      .finally(() => {
        current = undefined;
      }));
}
