/** A reading that takes longer than this is left out: Prometheus gives up on a whole process after ten seconds. */
const PATIENCE_MS = 5_000;

/**
 * Lets several gauges show what one reading brings: those that ask while it is under way share it.
 * @param read may fail or hang, for example while the database is away
 * @returns undefined instead of an error or a reading that is late
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
