import { Injectable } from '@nestjs/common';
import { SweepMetrics } from '../infra/telemetry/sweep-metrics.js';
import { LoadSampler } from '../operator/load/load-sampler.js';
import { PeriodicSweeps } from './periodic-sweeps.js';

/** Pause between checks for a new minute. */
const PAUSE_MS = 5_000;

/** Records the load for the operator console. */
@Injectable()
export class LoadSampling extends PeriodicSweeps {
  constructor(sampler: LoadSampler, metrics: SweepMetrics) {
    const work = (): Promise<unknown> => sampler.sampleWhenDue();
    super(metrics, { name: 'load', context: 'load-sampler', pauseMs: PAUSE_MS, work });
  }
}
