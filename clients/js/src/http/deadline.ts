import { LONGEST_TIMER_MS } from './pause.js';

/**
 * A signal that is aborted when `signal` is or when time is over, whichever is first. (`AbortSignal.any` would do,
 * but not every browser in use has it.)
 */
export class Deadline {
  /** Whether it was the time. */
  isOver = false;
  private readonly controller = new AbortController();
  private readonly timer: ReturnType<typeof setTimeout> | undefined;
  private readonly onAbort = () => this.controller.abort(this.outer?.reason);

  /** @param durationMs more than three weeks, or Infinity: only `outer` counts */
  constructor(
    durationMs: number,
    private readonly outer: AbortSignal | undefined,
  ) {
    if (outer?.aborted === true) this.onAbort();
    else outer?.addEventListener('abort', this.onAbort, { once: true });
    if (durationMs > LONGEST_TIMER_MS) return;
    this.timer = setTimeout(() => {
      this.isOver = true;
      this.controller.abort(new Error('time is over'));
    }, durationMs);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Must be called at the end, or the process waits for the time to pass. */
  release(): void {
    clearTimeout(this.timer);
    this.outer?.removeEventListener('abort', this.onAbort);
  }
}
