export type TimedPhase = 'decodeMs' | 'inferenceMs' | 'encodeMs';

/** Wall-clock time of the steps of a job, milliseconds. */
export class Stopwatch {
  private readonly laps: Record<TimedPhase, number> = { decodeMs: 0, inferenceMs: 0, encodeMs: 0 };

  /** Runs `work` and adds its time to a lap. */
  async time<T>(lap: TimedPhase, work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      this.laps[lap] += performance.now() - startedAt;
    }
  }

  /** A lap, milliseconds. */
  elapsedMs(lap: TimedPhase): number {
    return this.laps[lap];
  }

  /** Every lap, rounded to whole milliseconds. */
  read(): Record<TimedPhase, number> {
    const { decodeMs, inferenceMs, encodeMs } = this.laps;
    return {
      decodeMs: Math.round(decodeMs),
      inferenceMs: Math.round(inferenceMs),
      encodeMs: Math.round(encodeMs),
    };
  }
}
