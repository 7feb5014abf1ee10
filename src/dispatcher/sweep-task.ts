import { errorLogger } from '../infra/database/error-logger.js';
import type { SweepMetrics } from '../infra/telemetry/sweep-metrics.js';
import { PeriodicTask } from '../kernel/concurrency/periodic-task.js';

interface Sweep {
  /** The label of its metrics. */
  readonly name: string;
  /** What its errors are logged under. */
  readonly context: string;
  readonly pauseMs: number;
}

/** Work that a dispatcher repeats, with metrics of each round. */
export function sweepTask(
  metrics: SweepMetrics,
  { name, context, pauseMs }: Sweep,
  work: (signal: AbortSignal) => Promise<unknown>,
): PeriodicTask {
  return new PeriodicTask(pauseMs, metrics.measured(name, work), errorLogger(context));
}
