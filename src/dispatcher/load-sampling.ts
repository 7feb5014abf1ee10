import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { SweepMetrics } from '../infra/telemetry/sweep-metrics.js';
import type { PeriodicTask } from '../kernel/concurrency/periodic-task.js';
import { LoadSampler } from '../operator/load/load-sampler.js';
import { sweepTask } from './sweep-task.js';

/** Pause between checks for a new minute. */
const PAUSE_MS = 5_000;

/** Records the load for the operator console. */
@Injectable()
export class LoadSampling implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly task: PeriodicTask;

  constructor(sampler: LoadSampler, metrics: SweepMetrics) {
    const sweep = { name: 'load', context: 'load-sampler', pauseMs: PAUSE_MS };
    this.task = sweepTask(metrics, sweep, () => sampler.sampleWhenDue());
  }

  onApplicationBootstrap(): void {
    this.task.begin();
  }

  onApplicationShutdown(): Promise<void> {
    return this.task.end();
  }
}
