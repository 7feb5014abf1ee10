/**
 * Prevents concurrent runs of the same work: calls during a run cause one more run afterward. Failures are ignored,
 * because the next call does the same work.
 */
export function oneAtATime(work: () => void | Promise<void>): () => void {
  let isRunning = false;
  let isDue = false;
  const run = async () => {
    isRunning = true;
    do {
      isDue = false;
      try {
        await work();
      } catch {
        // The next call retries.
      }
    } while (isDue);
    isRunning = false;
  };
  return () => {
    isDue = true;
    if (!isRunning) void run();
  };
}
