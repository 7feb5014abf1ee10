import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../config/env.js';
import { CONFIG } from '../config/tokens.js';
import { SweepMetrics } from '../infra/telemetry/sweep-metrics.js';
import { UsageReports } from '../quotas/reports/usage-reports.js';
import { PeriodicSweeps } from './periodic-sweeps.js';

/** Sends the usage of each day to the billing systems of operators. */
@Injectable()
export class UsageReporting extends PeriodicSweeps {
  constructor(reports: UsageReports, metrics: SweepMetrics, @Inject(CONFIG) { sweepIntervalMs }: Config) {
    const work = (): Promise<unknown> => reports.writeDue();
    super(metrics, { name: 'usage', context: 'usage-reports', pauseMs: sweepIntervalMs, work });
  }
}
