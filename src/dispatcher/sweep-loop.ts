import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { ObjectErasures } from '../accounts/object-erasures.js';
import type { Config } from '../config/env.js';
import { CONFIG } from '../config/tokens.js';
import { SweepMetrics } from '../infra/telemetry/sweep-metrics.js';
import { JobSweeps } from './job-sweeps.js';
import { OrphanSweep } from './orphan-sweep.js';
import { sweepTask } from './sweep-task.js';
import type { PeriodicTask } from '../kernel/concurrency/periodic-task.js';

/** How often the orphan sweep checks whether it is due. */
const ORPHAN_PAUSE_MS = 5_000;

/** Maximum objects of deleted accounts that are erased in one round. */
const ERASED_IN_A_ROUND = 2_000;

/** Runs the sweeps of jobs and objects: job sweeps in one loop, slow sweeps in separate loops. */
@Injectable()
export class SweepLoop implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly loops: readonly PeriodicTask[];

  constructor(
    jobs: JobSweeps,
    orphans: OrphanSweep,
    erasures: ObjectErasures,
    metrics: SweepMetrics,
    @Inject(CONFIG) config: Config,
  ) {
    const { sweepIntervalMs } = config;
    this.loops = [
      sweepTask(metrics, { name: 'jobs', context: 'sweeper', pauseMs: sweepIntervalMs }, () => jobs.sweep()),
      sweepTask(metrics, { name: 'erasures', context: 'erasures', pauseMs: sweepIntervalMs }, () =>
        erasures.erase(ERASED_IN_A_ROUND),
      ),
      sweepTask(metrics, { name: 'orphans', context: 'orphan-sweep', pauseMs: ORPHAN_PAUSE_MS }, (signal) =>
        orphans.sweepWhenDue(signal),
      ),
    ];
  }

  onApplicationBootstrap(): void {
    for (const loop of this.loops) loop.begin();
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.end()));
  }
}
