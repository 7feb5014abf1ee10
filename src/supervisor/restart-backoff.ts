const FIRST_MS = 250;
const MAX_MS = 10_000;
const HEALTHY_MS = 60_000;

/** The delay before a failed process is restarted. Doubles each time, and resets after a healthy run. */
export class RestartBackoff {
  private nextMs = FIRST_MS;

  /** @param livedMs how long the last run was */
  after(livedMs: number): number {
    if (livedMs >= HEALTHY_MS) this.nextMs = FIRST_MS;
    const pauseMs = this.nextMs;
    this.nextMs = Math.min(pauseMs * 2, MAX_MS);
    return pauseMs;
  }
}
