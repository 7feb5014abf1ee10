import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { ObjectErasures } from '../accounts/object-erasures.js';
import type { Config } from '../config/env.js';
import { CONFIG } from '../config/tokens.js';
import { errorLogger } from '../infra/database/error-logger.js';
import { SweepMetrics } from '../infra/telemetry/sweep-metrics.js';
import { JobSweeps } from './job-sweeps.js';
import { OrphanSweep } from './orphan-sweep.js';
import { Retention } from './retention/retention.js';
import { PeriodicTask } from '../kernel/concurrency/periodic-task.js';

/** How often the orphan sweep checks whether it is due. */
const ORPHAN_PAUSE_MS = 5_000;

/** Time between two passes over rows that may have expired. */
const RETENTION_PAUSE_MS = 600_000;

/** Maximum objects of deleted accounts that are erased in one round. */
const ERASED_IN_A_ROUND = 2_000;

/** Runs the sweeps of the dispatcher: job sweeps in one loop, slow sweeps in separate loops. */
@Injectable()
export class SweepLoop implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly loops: readonly PeriodicTask[];

  constructor(
    jobs: JobSweeps,
    orphans: OrphanSweep,
    erasures: ObjectErasures,
    retention: Retention,
    metrics: SweepMetrics,
    @Inject(CONFIG) config: Config,
  ) {
    const loop = (
      sweep: string,
      context: string,
      pauseMs: number,
      work: (signal: AbortSignal) => Promise<unknown>,
    ): PeriodicTask => new PeriodicTask(pauseMs, metrics.measured(sweep, work), errorLogger(context));
    this.loops = [
      loop('jobs', 'sweeper', config.sweepIntervalMs, () => jobs.sweep()),
      loop('erasures', 'erasures', config.sweepIntervalMs, () => erasures.erase(ERASED_IN_A_ROUND)),
      loop('retention', 'retention', RETENTION_PAUSE_MS, (signal) => retention.run(signal)),
      loop('orphans', 'orphan-sweep', ORPHAN_PAUSE_MS, (signal) => orphans.sweepWhenDue(signal)),
    ];
  }

  onApplicationBootstrap(): void {
    for (const loop of this.loops) loop.begin();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.end()));
  }
}
