import { Injectable, Logger } from '@nestjs/common';
import { isDeviceFault } from '../inference/device-fault.js';
import { ServerUnavailable } from '../inference/engines/triton/server-errors.js';
import { isMachineFault, isShortOfMemory } from '../infra/storage/storage-fault.js';
import type { RunEnd } from '../infra/telemetry/job-metrics.js';
import { JobCompletion } from '../jobs/job-completion.js';
import { JobLeaseRepository } from '../jobs/queue/job-lease.repository.js';
import { AppError } from '../kernel/app-error.js';
import { JobRequeuer } from './job-requeuer.js';
import type { JobRun } from './job-run.js';
import { RunStopped } from './lease-keeper.js';
import { ServerWaits } from './server-waits.js';
import { retryWhileDatabaseUnavailable } from './retry-while-unavailable.js';
import { StoredResults } from './stored-results.js';
import { WorkerStorage } from './admission/worker-storage.js';
import { isRepeatable } from '../infra/database/database-errors.js';

/**
 * Settles a run that did not complete its job: fails the job, returns it to the queue, or leaves it to
 * others.
 */
@Injectable()
export class JobSettlement {
  private readonly logger = new Logger('jobs');

  constructor(
    private readonly leases: JobLeaseRepository,
    private readonly completion: JobCompletion,
    private readonly results: StoredResults,
    private readonly storage: WorkerStorage,
    private readonly requeuer: JobRequeuer,
    private readonly serverWaits: ServerWaits,
  ) {}

  /**
   * @param error what ended the run
   * @throws what the database throws; then the lease expires
   */
  async settle(run: JobRun, error: unknown): Promise<RunEnd> {
    const reason: unknown = run.signal.reason;
    if (reason instanceof RunStopped) {
      if (reason.why === 'displaced') await this.releaseDisplaced(run);
      // A drain has released the lease already, unless the database was unavailable then.
      if (reason.why === 'drain') await this.requeuer.release(run.lease, run.job);
      await this.results.discard(run);
      this.logger.log({ jobId: run.job.id, why: reason.why }, 'run stopped');
      return 'stopped';
    }
    if (error instanceof ServerUnavailable) return this.waitForServer(run, error);
    if (isFaultOfMachine(error)) return this.requeue(run, error);
    await this.fail(run, toAppError(error));
    await this.results.discard(run);
    const expected = error instanceof AppError;
    this.logger[expected ? 'warn' : 'error'](
      { jobId: run.job.id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) },
      'job failed',
    );
    return 'failed';
  }

  /**
   * If this failed while the database is unavailable, the lease would expire and an attempt would count. The signal of
   * the run has been aborted, so it cannot end the wait.
   */
  private async releaseDisplaced({ lease, job }: JobRun): Promise<void> {
    await retryWhileDatabaseUnavailable(undefined, () => this.requeuer.release(lease, job));
  }

  /**
   * An unavailable server says nothing about the job, so the job waits as long as the outage lasts. A request without a
   * response may be the job's fault, as may one that a server refuses for too long: such returns are counted.
   */
  private async waitForServer(run: JobRun, error: ServerUnavailable): Promise<RunEnd> {
    const { lease, job, signal } = run;
    await this.results.discard(run);
    if (error.how.isUnanswered === true || this.serverWaits.isTooLong(job.id)) {
      const end = await retryWhileDatabaseUnavailable(signal, () =>
        this.requeuer.requeue(lease, job.machineFaults, error.message),
      );
      return end === 'failed' ? 'failed' : 'stopped';
    }
    await retryWhileDatabaseUnavailable(signal, () => this.leases.release(lease));
    this.logger.warn({ jobId: job.id, reason: error.message }, 'job waits for its inference server');
    return 'stopped';
  }

  /** Another machine may succeed, or this one later, so the attempt does not count. */
  private async requeue(run: JobRun, error: unknown): Promise<RunEnd> {
    if (isFaultOfStorage(error)) this.storage.suspend(causeOf(error));
    await this.results.discard(run);
    const { lease, job, signal } = run;
    const end = await retryWhileDatabaseUnavailable(signal, () =>
      this.requeuer.requeue(lease, job.machineFaults, String(causeOf(error))),
    );
    return end === 'failed' ? 'failed' : 'stopped';
  }

  private async fail({ lease, signal }: JobRun, error: AppError): Promise<void> {
    await retryWhileDatabaseUnavailable(signal, () =>
      this.completion.fail(lease.jobId, lease.token, error.code, error.detail),
    );
  }
}

/** Whether a run failed because of the disks, the database, or the device, not because of its job. */
function isFaultOfMachine(error: unknown): boolean {
  return (
    isMachineFault(error) || isMachineFault(causeOf(error)) || isRepeatable(error) || isDeviceFault(error)
  );
}

/** Whether the worker must wait for its disks or its object store. */
function isFaultOfStorage(error: unknown): boolean {
  return !isRepeatable(error) && !isDeviceFault(error) && !isShortOfMemory(causeOf(error));
}

/** The cause of an AppError. */
function causeOf(error: unknown): unknown {
  return error instanceof AppError && error.cause !== undefined ? error.cause : error;
}

function toAppError(error: unknown): AppError {
  return error instanceof AppError ? error : new AppError('processing_failed', { cause: error });
}
