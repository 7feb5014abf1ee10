import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { JobDto } from '../common/resources/job.dto.js';
import { MAX_WAIT_SECONDS, type Patience } from '../common/requests/prefer-wait.decorator.js';
import { goneSignal } from '../common/requests/gone-signal.js';
import { AppError } from '../kernel/app-error.js';
import type { ErrorCode } from '../kernel/errors/error-codes.js';
import type { Principal } from '../kernel/principal.js';
import { CreateJobDto } from '../jobs/creation/create-job.dto.js';
import type { OutputDto } from '../jobs/creation/output/output.dto.js';
import { JobCreation } from '../jobs/creation/job-creation.js';
import { JobsService } from '../jobs/jobs.service.js';
import { QuotasService } from '../quotas/quotas.service.js';
import type { ReceivedFile, WriteChunk } from '../uploads/receiving/received-file.js';
import { SourceIntake } from '../uploads/receiving/source-intake.js';
import { UploadSlots } from '../uploads/receiving/upload-slots.js';
import { EphemeralJobs } from './ephemeral-jobs.js';

/** The job that a request of another service's client asks for. */
export interface RemovalOrder {
  readonly file: ReceivedFile;
  readonly output: OutputDto;
}

/** Streams the image of a request to `write` and returns the order. `gone` is aborted when the client disconnects. */
export type ReadOrder = (write: WriteChunk, gone: AbortSignal) => Promise<RemovalOrder>;

const RETRY_AFTER_SECONDS = 5;

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
  ) {}

  /**
   * @returns the completed job, whose pixels the caller sends and erases
   * @throws AppError the errors of an upload and of job creation; the error of a failed job; `service_unavailable`
   *   for a job that has not ended within a minute, which is not charged
   */
  async run(principal: Principal, response: ServerResponse, read: ReadOrder): Promise<JobDto> {
    const patience = patienceOf(response);
    await this.quotas.refuseIfUsedUp(principal, 1);
    const created = await this.create(principal, response, patience.signal, read);
    const job = this.jobs.mayWait(principal, patience)
      ? await this.jobs.waitForNew(principal.accountId, created.id, patience)
      : created;
    if (job?.status === 'completed') return job;
    await this.ephemeral.erase(principal.accountId, created);
    if (job?.status === 'failed' && job.error !== null)
      throw new AppError(job.error.code as ErrorCode, { detail: job.error.message });
    throw new AppError('service_unavailable', {
      detail: 'The image was not processed in time. The job was canceled and not charged. Try again.',
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }

  private async create(
    principal: Principal,
    response: ServerResponse,
    gone: AbortSignal,
    read: ReadOrder,
  ): Promise<JobDto> {
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
          answer: (tx, { url }) => writeJob(tx, jobOf(url, order!.output)),
        }),
      );
      return body;
    } catch (error) {
      if (order !== undefined) await this.ephemeral.eraseBackground(principal.accountId, order.output);
      throw error;
    }
  }
}

function jobOf(sourceUrl: string, output: OutputDto): CreateJobDto {
  const job = { sourceUrl, operation: 'bg_remove', level: 'high', output, cache: false } as const;
  return Object.assign(new CreateJobDto(), job);
}

function patienceOf(response: ServerResponse): Patience {
  return { waitMs: MAX_WAIT_SECONDS * 1000, signal: goneSignal(response) };
}
