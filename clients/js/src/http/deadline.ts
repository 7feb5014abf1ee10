import { checkedNumber } from '../numbers.js';
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

  /**
   * @param durationMs more than three weeks, or Infinity: only `outer` counts
   * @throws ImageEnhancementError `invalid_option` when it is no number
   */
  constructor(
    durationMs: number,
    private readonly outer: AbortSignal | undefined,
  ) {
    checkedNumber('timeoutMs', durationMs);
    if (outer?.aborted === true) this.onAbort();
    else outer?.addEventListener('abort', this.onAbort, { once: true });
    if (durationMs > LONGEST_TIMER_MS) return;
    // Without time nothing may begin: a timer would let a request out.
    if (durationMs <= 0) this.end();
    else this.timer = setTimeout(() => this.end(), durationMs);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  private end(): void {
    if (this.controller.signal.aborted) return;
    this.isOver = true;
    this.controller.abort(new Error('time is over'));
  }

  /** Must be called at the end, or the process waits for the time to pass. */
  release(): void {
    clearTimeout(this.timer);
    this.outer?.removeEventListener('abort', this.onAbort);
  }
}
