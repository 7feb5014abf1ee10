/**
 * Keeps a piece of work from overtaking itself: what is asked for while it runs is done once more when it has ended.
 * A failure is dropped, since the next call does the same work.
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
        // The next call tries again.
      }
    } while (isDue);
    isRunning = false;
  };
  return () => {
    isDue = true;
    if (!isRunning) void run();
  };
}
