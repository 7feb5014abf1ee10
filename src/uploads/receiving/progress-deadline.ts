/**
 * A deadline that moves on only with real progress. A sender that keeps a request alive with single bytes runs into it
 * like one that sends nothing.
 */
export class ProgressDeadline {
  private timer: NodeJS.Timeout | undefined;
  private bytes = 0;
  private pauses = 0;
  private isStopped = false;

  /**
   * @param timeoutMs time for each `minBytes`
   * @param onMissed called once, when fewer bytes than that came in time
   */
  constructor(
    private readonly timeoutMs: number,
    private readonly minBytes: number,
    private readonly onMissed: () => void,
  ) {
    this.restart();
  }

  /** Counts bytes that arrived. */
  count(bytes: number): void {
    this.bytes += bytes;
    if (this.bytes >= this.minBytes) this.restart();
  }

  /** Starts the full time again. */
  restart(): void {
    this.bytes = 0;
    clearTimeout(this.timer);
    if (this.pauses === 0 && !this.isStopped) this.timer = setTimeout(this.onMissed, this.timeoutMs);
  }

  /** Runs `work`, which the sender waits for. The full time starts again when it, and others like it, have ended. */
  async whilePaused(work: () => Promise<void>): Promise<void> {
    this.pauses += 1;
    clearTimeout(this.timer);
    try {
      await work();
    } finally {
      this.pauses -= 1;
      this.restart();
    }
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }
}
