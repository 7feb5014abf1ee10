import type { ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import type { JobDto } from '../common/resources/job.dto.js';
import { MAX_WAIT_SECONDS, type Patience } from '../common/requests/prefer-wait.decorator.js';
import { goneSignal } from '../common/requests/gone-signal.js';
import type { Config } from '../config/env.js';
import { CONFIG } from '../config/tokens.js';
import { AppError } from '../kernel/app-error.js';
import type { ErrorCode } from '../kernel/errors/error-codes.js';
import type { Principal } from '../kernel/principal.js';
import { CreateJobDto } from '../jobs/creation/create-job.dto.js';
import type { OutputDto } from '../jobs/creation/output/output.dto.js';
import { resultSecondsOf } from '../jobs/creation/job-terms.js';
import { JobCreation } from '../jobs/creation/job-creation.js';
import { JobsService } from '../jobs/jobs.service.js';
import { QuotasService } from '../quotas/quotas.service.js';
import type { ReceivedFile, WriteChunk } from '../uploads/receiving/received-file.js';
import { SourceIntake } from '../uploads/receiving/source-intake.js';
import { UploadSlots } from '../uploads/receiving/upload-slots.js';
import { EphemeralJobs } from './ephemeral-jobs.js';
import { isRepeatable, UnconfirmedCommit } from '../infra/database/database-errors.js';

/** The job that a request of another service's client asks for. */
export interface RemovalOrder {
  readonly file: ReceivedFile;
  readonly output: OutputDto;
}

/** Streams the image of a request to `write` and returns the order. `gone` is aborted when the client disconnects. */
export type ReadOrder = (write: WriteChunk, gone: AbortSignal) => Promise<RemovalOrder>;

const RETRY_AFTER_SECONDS = 5;
/** If nobody is left to cancel a job when its request is over, the sweeper does soon afterward. */
const CANCEL_SECONDS = 90;
/** If nobody is left to erase a result and its source, the sweeper does. Longer than sending it takes. */
const KEPT_SECONDS = 600;
const CANCELED = 'The job was canceled and not charged. Try again.';
const UNKNOWN =
  'The job may have been carried out and charged, because it could not be canceled. Check your usage before you retry.';
const NOT_CREATED = 'The service is temporarily unavailable. Nothing was charged. Try again.';
const UNCONFIRMED =
  'The service became unavailable. The job may have been carried out and charged. Check your usage before you retry.';

/**
 * Removes a background while the client waits, as other services do. The source and the result are erased afterward.
 */
@Injectable()
export class BackgroundRemoval {
  constructor(
    private readonly intake: SourceIntake,
    private readonly slots: UploadSlots,
    private readonly creation: JobCreation,
    private readonly jobs: JobsService,
    private readonly quotas: QuotasService,
    private readonly ephemeral: EphemeralJobs,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * @returns the completed job, whose pixels the caller sends and erases
   * @throws AppError the errors of an upload and of job creation; the error of a failed job; `service_unavailable`
   *   for a job that has not ended within a minute, and when the database is unavailable; its detail says whether the
   *   job may be charged
   */
  async run(principal: Principal, response: ServerResponse, read: ReadOrder): Promise<JobDto> {
    const patience = patienceOf(response);
    const created = await this.create(principal, response, patience.signal, read).catch(sayIfCharged);
    const job = this.jobs.mayWait(principal, patience)
      ? await this.jobs.waitForNew(principal.accountId, created.id, patience)
      : created;
    if (job?.status === 'completed') return job;
    const isCanceled = await this.ephemeral.erase(principal.accountId, created);
    if (job?.status === 'failed' && job.error !== null)
      throw new AppError(job.error.code as ErrorCode, { detail: job.error.message });
    throw new AppError('service_unavailable', {
      detail: `The image was not processed in time. ${isCanceled ? CANCELED : UNKNOWN}`,
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }

  private async create(
    principal: Principal,
    response: ServerResponse,
    gone: AbortSignal,
    read: ReadOrder,
  ): Promise<JobDto> {
    await this.quotas.refuseIfUsedUp(principal);
    const releaseSlot = await this.slots.take(principal, response);
    try {
      await this.intake.refuseEarly(principal, 0, undefined);
      return await this.createJob(principal, (write) => read(write, gone));
    } finally {
      releaseSlot();
    }
  }

  private async createJob(
    principal: Principal,
    read: (write: WriteChunk) => Promise<RemovalOrder>,
  ): Promise<JobDto> {
    let order: RemovalOrder | undefined;
    try {
      const { body } = await this.creation.createWithin(principal, (writeJob) =>
        this.intake.receive(principal, async (write) => (order = await read(write)).file, {
          key: undefined,
          fingerprint: () => '',
          answer: (tx, { url }) => writeJob(tx, this.jobOf(principal, url, order!.output)),
        }),
      );
      return body;
    } catch (error) {
      if (order !== undefined) await this.ephemeral.eraseBackground(principal.accountId, order.output);
      throw error;
    }
  }

  /** The terms of the job apply only if this process or the database fails before the images are erased. */
  private jobOf({ plan }: Principal, sourceUrl: string, output: OutputDto): CreateJobDto {
    const work = { sourceUrl, operation: 'bg_remove', level: 'high', output, cache: false } as const;
    return Object.assign(new CreateJobDto(), work, {
      cancelAfter: `${CANCEL_SECONDS}s`,
      expiresIn: Math.min(KEPT_SECONDS, resultSecondsOf(plan, this.config)),
      retention: 'deliver',
    } as const);
  }
}

/** The general text would promise that GET changes nothing, and that a retry with an `Idempotency-Key` is safe. */
function sayIfCharged(error: unknown): never {
  if (!isRepeatable(error)) throw error;
  throw new AppError('service_unavailable', {
    detail: error instanceof UnconfirmedCommit ? UNCONFIRMED : NOT_CREATED,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    internal: String(error),
    cause: error,
  });
}

function patienceOf(response: ServerResponse): Patience {
  return { waitMs: MAX_WAIT_SECONDS * 1000, signal: goneSignal(response) };
}
