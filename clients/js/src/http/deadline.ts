import { checkedNumber } from '../numbers.js';
import { MAX_TIMER_MS } from './pause.js';

/**
 * A signal that is aborted when `signal` is aborted or the time is over, whichever is first. (`AbortSignal.any` is
 * missing in some supported browsers.)
 */
export class Deadline {
  /** Whether the time is over. */
  isOver = false;
  private readonly controller = new AbortController();
  private readonly timer: ReturnType<typeof setTimeout> | undefined;
  private readonly onAbort = () => this.controller.abort(this.outer?.reason);

  /**
   * @param durationMs for more than three weeks, or Infinity, only `outer` counts
   * @throws ImageEnhancementError `invalid_option` when it is not a number
   */
  constructor(
    durationMs: number,
    private readonly outer: AbortSignal | undefined,
  ) {
    checkedNumber('timeoutMs', durationMs);
    if (outer?.aborted === true) this.onAbort();
    else outer?.addEventListener('abort', this.onAbort, { once: true });
    if (durationMs > MAX_TIMER_MS) return;
    // Abort immediately: a timer would let a request start.
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

  /** Must be called at the end. Otherwise the timer keeps the process alive. */
  release(): void {
    clearTimeout(this.timer);
    this.outer?.removeEventListener('abort', this.onAbort);
  }
}
