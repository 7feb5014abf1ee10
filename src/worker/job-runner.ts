import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { isDatabaseUnavailable } from '../infra/database/database.js';
import { Scratch } from '../infra/storage/scratch.js';
import { isMachineFault } from '../infra/storage/storage-fault.js';
import { JobLeaseRepository, type Lease } from '../jobs/queue/job-lease.repository.js';
import type { RunEnd } from '../infra/telemetry/job-metrics.js';
import { AppError } from '../kernel/app-error.js';
import { Admission, type Admitted } from './admission.js';
import { JobReturns } from './job-returns.js';
import type { JobRun } from './job-run.js';
import { LeaseKeeper, RunStopped } from './lease-keeper.js';
import { retryWhileDatabaseUnavailable } from './retry-while-unavailable.js';
import { runPipeline } from './pipeline.js';
import { Stopwatch } from './stopwatch.js';
import { StepDependencies } from './step-dependencies.js';
import { WorkerStorage } from './worker-storage.js';
import { WorkMeter } from './work-meter.js';
import { discardResult } from './unwanted-result.js';

/** Takes one job from the queue to its end. */
@Injectable()
export class JobRunner implements OnApplicationShutdown {
  private readonly logger = new Logger('jobs');

  constructor(
    private readonly admission: Admission,
    private readonly leases: JobLeaseRepository,
    private readonly keeper: LeaseKeeper,
    private readonly dependencies: StepDependencies,
    private readonly scratch: Scratch,
    private readonly meter: WorkMeter,
    private readonly storage: WorkerStorage,
    private readonly returns: JobReturns,
  ) {}

  /**
   * Runs the job whose turn it is. Resolves in every case that is settled in the database; what it throws (the
   * database away) is left to the lease, which runs out.
   * @returns false when there was none
   */
  async runNext(): Promise<boolean> {
    const admitted = await this.admission.next();
    if (admitted === undefined) return false;
    const { operation, level, sourcePixels: pixels } = admitted.job;
    const measured = this.meter.begin({ operation, level, pixels });
    let end: RunEnd = 'stopped';
    try {
      end = await this.work(admitted);
    } finally {
      measured(end);
      admitted.leave();
    }
    return true;
  }

  /** Whether `runNext` would find a job. */
  isWorkWaiting(): Promise<boolean> {
    return this.admission.isWorkWaiting();
  }

  /** Takes nothing new from now on. */
  stopTaking(): void {
    this.admission.close();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.dependencies.decoder.close();
    await this.scratch.close();
  }

  private async work({ job, lease, route }: Admitted): Promise<RunEnd> {
    const abort = new AbortController();
    const { signal } = abort;
    const run: JobRun = {
      job,
      lease,
      claim: job.claims,
      route,
      signal,
      stopwatch: new Stopwatch(),
      progress: 0,
      room: this.scratch.room(`${job.id}-${job.claims}`),
    };
    this.keeper.keep(run, abort);
    const { enhancer, release } = this.dependencies.devices.take();
    try {
      await runPipeline(run, this.dependencies.on(enhancer));
      this.meter.completed(job.operation, run.stopwatch.read());
      return 'completed';
    } catch (error) {
      return await this.settle(run, error);
    } finally {
      release();
      this.keeper.drop(run);
      await detachBuffer(run);
    }
  }

  private async settle(run: JobRun, error: unknown): Promise<RunEnd> {
    const reason: unknown = run.signal.reason;
    if (reason instanceof RunStopped) {
      // Draining has given the lease back already, unless the database was away then.
      if (reason.why === 'drain') await this.leases.release(run.lease);
      await discardResult(run, this.dependencies);
      this.logger.log({ jobId: run.job.id, why: reason.why }, 'run stopped');
      return 'stopped';
    }
    if (isMachinesDoing(error)) return this.giveBack(run, error);
    await this.fail(run.lease, toAppError(error), run.signal);
    await discardResult(run, this.dependencies);
    const expected = error instanceof AppError;
    this.logger[expected ? 'warn' : 'error'](
      { jobId: run.job.id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) },
      'job failed',
    );
    return 'failed';
  }

  /** What the machine could not do, another may; so the attempt does not count. */
  private async giveBack(run: JobRun, error: unknown): Promise<RunEnd> {
    if (!isDatabaseUnavailable(error)) this.storage.suspend(causeOf(error));
    await discardResult(run, this.dependencies);
    const { lease, job, signal } = run;
    const end = await retryWhileDatabaseUnavailable(signal, () =>
      this.returns.giveBack(lease, job.machineFaults, String(causeOf(error))),
    );
    return end === 'failed' ? 'failed' : 'stopped';
  }

  private async fail(lease: Lease, error: AppError, signal: AbortSignal): Promise<void> {
    await retryWhileDatabaseUnavailable(signal, () =>
      this.dependencies.completion.fail(lease.jobId, lease.token, error.code, error.detail),
    );
  }
}

/** Closes and removes what the run has left on the disk and on the device. */
async function detachBuffer({ source, rendered, room, analysis }: JobRun): Promise<void> {
  // Rendering lets go of it; a run that ended before has its maps still on the device.
  analysis?.release();
  await Promise.allSettled([source?.close(), rendered?.close()]);
  await room.remove();
}

/** Whether a run failed because of the disks or the database, not because of its job. */
function isMachinesDoing(error: unknown): boolean {
  return isMachineFault(error) || isMachineFault(causeOf(error)) || isDatabaseUnavailable(error);
}

/** What an AppError was made of. */
function causeOf(error: unknown): unknown {
  return error instanceof AppError && error.cause !== undefined ? error.cause : error;
}

function toAppError(error: unknown): AppError {
  return error instanceof AppError ? error : new AppError('processing_failed', { cause: error });
}
