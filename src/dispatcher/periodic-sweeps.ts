import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { errorLogger } from '../infra/database/error-logger.js';
import type { SweepMetrics } from '../infra/telemetry/sweep-metrics.js';
import { PeriodicTask } from '../kernel/concurrency/periodic-task.js';

/** Work that a dispatcher repeats. */
export interface Sweep {
  /** The label of its metrics. */
  readonly name: string;
  /** What its errors are logged under. */
  readonly context: string;
  readonly pauseMs: number;
  /** One round. @param signal aborted when the dispatcher ends */
  readonly work: (signal: AbortSignal) => Promise<unknown>;
}

/** Sweeps that run as long as the application, each in a loop of its own and with metrics of each round. */
export abstract class PeriodicSweeps implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly loops: readonly PeriodicTask[];

  protected constructor(metrics: SweepMetrics, ...sweeps: readonly Sweep[]) {
    this.loops = sweeps.map(
      ({ name, context, pauseMs, work }) =>
        new PeriodicTask(pauseMs, metrics.measured(name, work), errorLogger(context)),
    );
  }

  onApplicationBootstrap(): void {
    for (const loop of this.loops) loop.begin();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.end()));
  }
}
