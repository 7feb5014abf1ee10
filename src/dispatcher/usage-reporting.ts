import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Config } from '../config/env.js';
import { CONFIG } from '../config/tokens.js';
import { SweepMetrics } from '../infra/telemetry/sweep-metrics.js';
import type { PeriodicTask } from '../kernel/concurrency/periodic-task.js';
import { UsageReports } from '../quotas/reports/usage-reports.js';
import { sweepTask } from './sweep-task.js';

/** Sends the usage of each day to the billing systems of operators. */
@Injectable()
export class UsageReporting implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly task: PeriodicTask;

  constructor(reports: UsageReports, metrics: SweepMetrics, @Inject(CONFIG) { sweepIntervalMs }: Config) {
    const sweep = { name: 'usage', context: 'usage-reports', pauseMs: sweepIntervalMs };
    this.task = sweepTask(metrics, sweep, () => reports.writeDue());
  }

  onApplicationBootstrap(): void {
    this.task.begin();
  }

  onApplicationShutdown(): Promise<void> {
    return this.task.end();
  }
}
