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
    (current ??= bounded(read, patienceMs).finally(() => {
      current = undefined;
    }));
}

async function bounded<T>(read: () => Promise<T>, patienceMs: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), patienceMs);
  });
  try {
    return await Promise.race([read().catch(() => undefined), late]);
  } finally {
    clearTimeout(timer);
  }
}
