import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import type { Queryable } from '../../infra/database/database.js';
import { AppError } from '../../kernel/app-error.js';
import { quotaPeriod } from '../../kernel/clock.js';
import { newId } from '../../kernel/ids.js';
import { AvailableOperations } from '../../models/serving/available-operations.js';
import { FileUrls } from '../../uploads/files/file-urls.js';
import { type SourceOfJob, SourcesRepository } from '../../uploads/sources/sources.repository.js';
import type { CreateJobDto } from './create-job.dto.js';
import type { NewJob } from './job-creation.repository.js';
import { jobSpecOf, readOperation } from './job-spec.js';
import { JobPresenter } from '../job-presenter.js';
import type { JobDto } from '../../common/resources/job.dto.js';

export interface PlannedJob {
  readonly job: NewJob;
  /** What the client and the event are told: the job as it is the moment it is created. */
  readonly answer: JobDto;
}

/** Turns a request into a job that only needs to be written down. Reads, but changes nothing. */
@Injectable()
export class JobPlanner {
  constructor(
    private readonly offered: AvailableOperations,
    private readonly fileUrls: FileUrls,
    private readonly sources: SourcesRepository,
    private readonly presenter: JobPresenter,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @throws AppError `invalid_request`, `invalid_source_url`, `not_found`, `gone`, `too_many_pixels` */
  async plan(on: Queryable, accountId: string, dto: CreateJobDto): Promise<PlannedJob> {
    const operation = readOperation(dto, this.offered.operations());
    const source = await this.readSource(on, accountId, dto.sourceUrl);
    const order = jobSpecOf(dto, operation, source, this.config);
    const createdAt = new Date();
    const job: NewJob = {
      id: newId('job'),
      sourceId: source.id,
      ...order,
      metadata: dto.metadata ?? {},
      promise: {
        version: operation.model.version,
        scale: operation.scales[order.level],
        producesAlpha: operation.producesAlpha,
      },
      sourcePixels: source.width * source.height,
      period: quotaPeriod(createdAt.getTime()),
      createdAt,
    };
    return {
      job,
      answer: this.presenter.present({ ...UNTOUCHED, ...job, accountId, sourceFormat: source.format }),
    };
  }

  private async readSource(on: Queryable, accountId: string, sourceUrl: string): Promise<SourceOfJob> {
    const id = this.fileUrls.idIn(sourceUrl, 'source');
    if (id === undefined) {
      const { detail } = new AppError('invalid_source_url');
      throw new AppError('invalid_source_url', {
        detail,
        errors: [{ field: 'sourceUrl', code: 'foreign', message: detail }],
      });
    }
    const source = await this.sources.findForJob(on, accountId, id);
    if (source === undefined)
      throw new AppError('not_found', { detail: `There is no source "${id}" in your account.` });
    if (source.deleted) throw new AppError('gone', { detail: `The source "${id}" was deleted.` });
    return source;
  }
}

/** The fields of a job that nobody has worked on. */
const UNTOUCHED = {
  status: 'queued',
  progress: 0,
  attempts: 0,
  machineFaults: 0,
  claims: 0,
  turn: '0',
  errorCode: null,
  errorMessage: null,
  model: null,
  device: null,
  timings: null,
  resultKey: null,
  resultFormat: null,
  resultWidth: null,
  resultHeight: null,
  resultBytes: null,
  resultSha256: null,
  resultExpiresAt: null,
  resultErasedAt: null,
  leaseToken: null,
  leaseExpiresAt: null,
  enqueuedAt: null,
  startedAt: null,
  completedAt: null,
  deletedAt: null,
} as const;
