import { Inject, Injectable } from '@nestjs/common';
import { ObjectErasures } from '../infra/storage/object-erasures.js';
import type { Config } from '../config/env.js';
import { CONFIG } from '../config/tokens.js';
import { SweepMetrics } from '../infra/telemetry/sweep-metrics.js';
import { JobSweeps } from './job-sweeps.js';
import { OrphanSweep } from './orphan-sweep.js';
import { PeriodicSweeps } from './periodic-sweeps.js';

/** How often the orphan sweep checks whether it is due. */
const ORPHAN_PAUSE_MS = 5_000;

/** Maximum recorded objects that are erased in one round. */
const ERASED_IN_A_ROUND = 2_000;

/** Runs the sweeps of jobs and objects: job sweeps in one loop, slow sweeps in separate loops. */
@Injectable()
export class SweepLoop extends PeriodicSweeps {
  constructor(
    jobs: JobSweeps,
    orphans: OrphanSweep,
    erasures: ObjectErasures,
    metrics: SweepMetrics,
    @Inject(CONFIG) { sweepIntervalMs: pauseMs }: Config,
  ) {
    super(
      metrics,
      { name: 'jobs', context: 'sweeper', pauseMs, work: () => jobs.sweep() },
      { name: 'erasures', context: 'erasures', pauseMs, work: () => erasures.erase(ERASED_IN_A_ROUND) },
      {
        name: 'orphans',
        context: 'orphan-sweep',
        pauseMs: ORPHAN_PAUSE_MS,
        work: (signal) => orphans.sweepWhenDue(signal),
      },
    );
  }
}
