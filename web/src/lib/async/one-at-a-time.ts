/** Wait before failed work is repeated. It doubles with each failure in a row. */
const FIRST_REPEAT_MS = 2_000;
const MAX_REPEAT_MS = 60_000;

/**
 * Prevents concurrent runs of the same work: calls during a run cause one more run afterward. Failures are ignored, or
 * repeated after a while: the next call does the same work, but may be far away.
 * @param isRepeatable whether the work may succeed later although it failed with this error; default: never
 */
export function oneAtATime(
  work: () => void | Promise<void>,
  isRepeatable: (error: unknown) => boolean = () => false,
): () => void {
  let isRunning = false;
  let isDue = false;
  let failures = 0;
  let repeat: ReturnType<typeof setTimeout> | undefined;
  const run = async () => {
    isRunning = true;
    do {
      isDue = false;
      try {
        await work();
        failures = 0;
      } catch (error) {
        if (isRepeatable(error)) {
          clearTimeout(repeat);
          repeat = setTimeout(call, Math.min(FIRST_REPEAT_MS * 2 ** failures, MAX_REPEAT_MS));
          failures += 1;
        }
      }
    } while (isDue);
    isRunning = false;
  };
  const call = () => {
    clearTimeout(repeat);
    isDue = true;
    if (!isRunning) void run();
  };
  return call;
}
