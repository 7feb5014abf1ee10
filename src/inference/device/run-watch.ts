const CHECKS = 10;

/**
 * Notices a device that does not finish its runs. Timers of a process that was suspended fire as soon as it continues,
 * before its messages arrive, so the time is counted in checks, of which a suspended process misses all but one.
 */
export class RunWatch {
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param limitMs how long one run may take; it is noticed at most a tenth later
   * @param onStuck called once for a run that takes longer
   */
  constructor(
    private readonly limitMs: number,
    private readonly onStuck: () => void,
  ) {}

  /** A run begins: the first one, or the next one after an outcome. */
  restart(): void {
    this.stop();
    let checks = 0;
    this.timer = setInterval(() => {
      if (++checks <= CHECKS) return;
      this.stop();
      this.onStuck();
    }, this.limitMs / CHECKS).unref();
  }

  /** No run is in progress. */
  stop(): void {
    clearInterval(this.timer);
  }
}
