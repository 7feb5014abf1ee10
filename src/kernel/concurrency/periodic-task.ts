/** Runs some work again and again with a fixed pause after each run, whether or not the run failed. */
export class PeriodicTask {
  private readonly abort = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly pauseMs: number,
    /** The signal aborts when the task should end. */
    private readonly work: (signal: AbortSignal) => Promise<void>,
    /** Called with what `work` throws. */
    private readonly onError: (error: unknown) => void,
  ) {}

  /** The first run starts after one pause. */
  begin(): void {
    if (this.abort.signal.aborted) return;
    this.timer = setTimeout(() => {
      this.running = this.runOnce().finally(() => this.begin());
    }, this.pauseMs);
  }

  /** Starts no further run; resolves when the current one has ended. */
  async end(): Promise<void> {
    this.abort.abort();
    clearTimeout(this.timer);
    await this.running;
  }

  private async runOnce(): Promise<void> {
    try {
      await this.work(this.abort.signal);
    } catch (error) {
      this.onError(error);
    }
  }
}
