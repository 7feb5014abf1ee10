const PAUSE_AFTER_ERROR_MS = 1_000;

/**
 * Runs some work again and again, one run at a time: when it is woken, and when the pause that the last run
 * asked for is over. A wake-up during a run starts another run right after it, so nothing is missed.
 */
export class WakeableLoop {
  private timer: NodeJS.Timeout | undefined;
  private dueMs = Number.POSITIVE_INFINITY;
  private running: Promise<void> | undefined;
  private isEnded = false;

  constructor(
    /** @returns milliseconds until the next run, unless it is woken before */
    private readonly work: () => Promise<number>,
    /** Called with what `work` throws; the next run follows a second later. */
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Starts a run within `inMs` milliseconds. */
  wake(inMs = 0): void {
    const dueMs = performance.now() + inMs;
    if (this.isEnded || dueMs >= this.dueMs) return;
    this.dueMs = dueMs;
    if (this.running === undefined) this.arm();
  }

  /** Starts no further run; resolves when the current one has ended. */
  async end(): Promise<void> {
    this.isEnded = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private arm(): void {
    clearTimeout(this.timer);
    if (this.isEnded) return;
    this.timer = setTimeout(
      () => {
        this.dueMs = Number.POSITIVE_INFINITY;
        this.running = this.runOnce();
      },
      Math.max(0, this.dueMs - performance.now()),
    );
  }

  private async runOnce(): Promise<void> {
    let pauseMs = PAUSE_AFTER_ERROR_MS;
    try {
      pauseMs = await this.work();
    } catch (error) {
      this.onError(error);
    }
    this.running = undefined;
    this.dueMs = Math.min(this.dueMs, performance.now() + pauseMs);
    this.arm();
  }
}
