import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { SweepMetrics } from '../../infra/telemetry/sweep-metrics.js';
import { PeriodicSweeps } from '../periodic-sweeps.js';
import { RetentionCleanup } from '../retention-cleanup.js';
import { Retention } from './retention.js';

/** Time between two passes over rows that may have expired. */
const RETENTION_PAUSE_MS = 600_000;

/** Deletes expired rows: rows with a retention period, and short-lived rows in a loop of their own. */
@Injectable()
export class RetentionLoop extends PeriodicSweeps {
  constructor(
    retention: Retention,
    cleanup: RetentionCleanup,
    metrics: SweepMetrics,
    @Inject(CONFIG) { sweepIntervalMs: pauseMs }: Config,
  ) {
    super(
      metrics,
      {
        name: 'retention',
        context: 'retention',
        pauseMs: RETENTION_PAUSE_MS,
        work: (signal) => retention.run(signal),
      },
      { name: 'cleanup', context: 'cleanup', pauseMs, work: () => cleanup.keep() },
    );
  }
}
