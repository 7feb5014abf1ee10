import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Enhancer } from '../inference/enhancer.js';
import { EnhancerPool } from '../inference/enhancer-pool.js';
import { Scratch } from '../infra/storage/scratch.js';
import type { RunEnd } from '../infra/telemetry/job-metrics.js';
import { Tracing } from '../infra/telemetry/tracing/tracing.js';
import { livemodeOf } from '../kernel/accounts/livemode.js';
import { JobAdmission, type AdmittedJob } from './admission/job-admission.js';
import type { Lane } from './admission/job-candidates.js';
import { JobPipeline } from './job-pipeline.js';
import type { JobRun } from './job-run.js';
import { JobSettlement } from './job-settlement.js';
import { LeaseKeeper } from './lease-keeper.js';
import { RunResources } from './run-resources.js';
import { Stopwatch } from './stopwatch.js';
import { ProcessingTimeMeter } from './processing-time-meter.js';
import { traceRun } from './trace-run.js';

/** Takes one job from the queue to its end. */
@Injectable()
export class JobRunner implements OnApplicationShutdown {
  private inHand = 0;
  private tellCompleted: (run: JobRun) => void = () => undefined;

  constructor(
    private readonly admission: JobAdmission,
    private readonly keeper: LeaseKeeper,
    private readonly devices: EnhancerPool,
    private readonly pipeline: JobPipeline,
    private readonly settlement: JobSettlement,
    private readonly scratch: Scratch,
    private readonly meter: ProcessingTimeMeter,
    private readonly tracing: Tracing,
  ) {}

  /** Jobs that run now. */
  get running(): number {
    return this.inHand;
  }

  /**
   * Runs the next job. Resolves once the outcome is recorded in the database.
   * @returns false when no job waits
   * @throws what the database throws; the lease of the job then expires
   */
  async runNext(lane: Lane = 'live'): Promise<boolean> {
    const admitted = await this.admission.next(lane);
    if (admitted === undefined) return false;
    const run = this.newRun(admitted);
    const measured = this.measure(run, lane);
    let end: RunEnd = 'stopped';
    this.inHand += 1;
    try {
      end = await this.work(run, admitted.abort);
    } finally {
      this.inHand -= 1;
      measured(end, run);
      admitted.release();
    }
    if (end === 'completed') this.tellCompleted(run);
    return true;
  }

  /** @param listener called after a job was completed and its memory released; must not throw */
  onCompleted(listener: (run: JobRun) => void): void {
    this.tellCompleted = listener;
  }

  /** Drawings say nothing about the time that models need, so they are not measured. */
  private measure({ job }: JobRun, lane: Lane): ReturnType<ProcessingTimeMeter['begin']> {
    if (lane === 'test') return () => undefined;
    if (job.claims === 1) this.meter.started(job);
    return this.meter.begin(job);
  }

  /** Whether `runNext` would find a job. */
  isWorkWaiting(lane: Lane = 'live'): Promise<boolean> {
    return this.admission.isWorkWaiting(lane);
  }

  /** Admits no further jobs until the pause ends. */
  pause(isPaused: boolean): void {
    this.admission.pause(isPaused);
  }

  /** Admits no further jobs. */
  stopTaking(): void {
    this.admission.close();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pipeline.close();
    await this.scratch.close();
  }

  private newRun({ job, lease, steps, testOutcome, abort }: AdmittedJob): JobRun {
    return {
      job,
      lease,
      claim: job.claims,
      steps,
      testOutcome,
      stepMs: [],
      signal: abort.signal,
      stopwatch: new Stopwatch(),
      progress: 0,
      room: this.scratch.room(`${job.id}-${job.claims}`),
      resources: new RunResources(),
    };
  }

  private async work(run: JobRun, abort: AbortController): Promise<RunEnd> {
    // Outside of the job's trace: leases of all jobs are renewed together.
    this.keeper.keep(run, abort);
    const { enhancer, release } = this.devices.take();
    try {
      return await traceRun(this.tracing, run, () => this.enhance(run, enhancer));
    } finally {
      release();
      this.keeper.drop(run);
      await run.resources.release();
      await run.room.remove();
    }
  }

  private async enhance(run: JobRun, enhancer: Enhancer): Promise<RunEnd> {
    try {
      if (!(await this.pipeline.run(run, enhancer))) return 'stopped';
      if (livemodeOf(run.job.accountId)) this.meter.completed(run.job.operation, run.stopwatch.read());
      return 'completed';
    } catch (error) {
      return this.settlement.settle(run, error);
    }
  }
}
