import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { errorLogger } from '../infra/database/error-logger.js';
import { SweepMetrics } from '../infra/telemetry/sweep-metrics.js';
import { PeriodicTask } from '../kernel/concurrency/periodic-task.js';
import { LoadSampler } from '../operator/load/load-sampler.js';

/** Pause between checks for a new minute. */
const PAUSE_MS = 5_000;

/** Records the load for the operator console. */
@Injectable()
export class LoadSampling implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly task: PeriodicTask;

  constructor(sampler: LoadSampler, metrics: SweepMetrics) {
    const work = metrics.measured('load', () => sampler.sampleWhenDue());
    this.task = new PeriodicTask(PAUSE_MS, work, errorLogger('load-sampler'));
  }

  onApplicationBootstrap(): void {
    this.task.begin();
  }

  onApplicationShutdown(): Promise<void> {
    return this.task.end();
  }
}
