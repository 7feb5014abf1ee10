const FIRST_MS = 250;
const LONGEST_MS = 10_000;
const HEALTHY_MS = 60_000;

/** How long to wait before something that died is started again: doubling, and short again after a healthy life. */
export class RestartBackoff {
  private nextMs = FIRST_MS;

  /** @param livedMs how long the life that just ended was */
  after(livedMs: number): number {
    if (livedMs >= HEALTHY_MS) this.nextMs = FIRST_MS;
    const pauseMs = this.nextMs;
    this.nextMs = Math.min(pauseMs * 2, LONGEST_MS);
    return pauseMs;
  }
}
