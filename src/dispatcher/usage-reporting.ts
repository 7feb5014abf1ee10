import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Config } from '../config/env.js';
import { CONFIG } from '../config/tokens.js';
import { errorLogger } from '../infra/database/error-logger.js';
import { SweepMetrics } from '../infra/telemetry/sweep-metrics.js';
import { PeriodicTask } from '../kernel/concurrency/periodic-task.js';
import { UsageReports } from '../quotas/reports/usage-reports.js';

/** Sends the usage of each day to the billing systems of operators. */
@Injectable()
export class UsageReporting implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly task: PeriodicTask;

  constructor(reports: UsageReports, metrics: SweepMetrics, @Inject(CONFIG) { sweepIntervalMs }: Config) {
    const work = metrics.measured('usage', () => reports.writeDue());
    this.task = new PeriodicTask(sweepIntervalMs, work, errorLogger('usage-reports'));
  }

  onApplicationBootstrap(): void {
    this.task.begin();
  }

  onApplicationShutdown(): Promise<void> {
    return this.task.end();
  }
}
