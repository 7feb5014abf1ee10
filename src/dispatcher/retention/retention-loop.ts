import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { SweepMetrics } from '../../infra/telemetry/sweep-metrics.js';
import type { PeriodicTask } from '../../kernel/concurrency/periodic-task.js';
import { RetentionCleanup } from '../retention-cleanup.js';
import { sweepTask } from '../sweep-task.js';
import { Retention } from './retention.js';

/** Time between two passes over rows that may have expired. */
const RETENTION_PAUSE_MS = 600_000;

/** Deletes expired rows: rows with a retention period, and short-lived rows in a loop of their own. */
@Injectable()
export class RetentionLoop implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly loops: readonly PeriodicTask[];

  constructor(
    retention: Retention,
    cleanup: RetentionCleanup,
    metrics: SweepMetrics,
    @Inject(CONFIG) { sweepIntervalMs: pauseMs }: Config,
  ) {
    this.loops = [
      sweepTask(metrics, { name: 'retention', context: 'retention', pauseMs: RETENTION_PAUSE_MS }, (signal) =>
        retention.run(signal),
      ),
      sweepTask(metrics, { name: 'cleanup', context: 'cleanup', pauseMs }, () => cleanup.keep()),
    ];
  }

  onApplicationBootstrap(): void {
    for (const loop of this.loops) loop.begin();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.end()));
  }
}
