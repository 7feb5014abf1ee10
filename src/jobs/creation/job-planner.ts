import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import type { Queryable } from '../../infra/database/database.js';
import { AppError } from '../../kernel/app-error.js';
import { quotaPeriod } from '../../kernel/clock.js';
import { newId } from '../../kernel/ids.js';
import { DEFAULT_LEVEL, type ImageFormat, type Level } from '../../kernel/operations.js';
import { invalidRequest } from '../../common/validation/validation.pipe.js';
import type { CatalogOperation } from '../../models/repository/catalog.js';
import { AvailableOperations } from '../../models/serving/available-operations.js';
import { FileUrls } from '../../uploads/files/file-urls.js';
import { type SourceOfJob, SourcesRepository } from '../../uploads/sources/sources.repository.js';
import type { CreateJobDto, JobRequestDto } from './create-job.dto.js';
import type { NewJob } from './job-creation.repository.js';
import { type OutputLimits, refuseTooLarge } from './result-limits.js';
import { JobPresenter } from '../job-presenter.js';
import type { JobEntity, JobModel, JobOutput } from '../job.entity.js';
import { requestHash } from '../cache/request-hash.js';
import type { JobDto } from '../../common/resources/job.dto.js';

/** The result that a job is going to have. */
export interface ResultShape {
  readonly format: ImageFormat;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

export interface PlannedJob {
  readonly job: NewJob;
  readonly result: ResultShape;
  /** The model files that new jobs of this kind are promised. */
  readonly model: JobModel;
  readonly sourceFormat: ImageFormat;
  /** Whether the client takes the result of an equal job. */
  readonly usesCache: boolean;
  /** The job as the client and the event see it at creation. */
  readonly answer: JobDto;
}

/** Turns a request into a job that can be inserted. Reads only. */
@Injectable()
export class JobPlanner {
  constructor(
    private readonly available: AvailableOperations,
    private readonly fileUrls: FileUrls,
    private readonly sources: SourcesRepository,
    private readonly presenter: JobPresenter,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @throws AppError `invalid_request`, `invalid_source_url`, `not_found`, `gone`, `too_many_pixels` */
  async plan(on: Queryable, accountId: string, dto: CreateJobDto): Promise<PlannedJob> {
    const operation = this.operationOf(dto);
    const source = await this.readSource(on, accountId, dto.sourceUrl);
    const job = this.jobOf(dto, operation, source, new Date());
    const result = { format: job.output.format, ...sizeOf(operation, job.level, source) };
    return {
      job,
      model: operation.model,
      sourceFormat: source.format,
      usesCache: dto.cache !== false,
      result,
      answer: this.answerOf(job, accountId, source),
    };
  }

  /** @throws AppError `invalid_request` for an operation that is not offered. */
  operationOf(dto: Pick<JobRequestDto, 'operation'>): CatalogOperation {
    return readOperation(dto, this.available.operations());
  }

  /** @throws AppError `invalid_request`, `too_many_pixels` */
  jobOf(dto: JobRequestDto, operation: CatalogOperation, source: SourceOfJob, createdAt: Date): NewJob {
    const spec = jobSpecOf(dto, operation, source, this.config);
    return {
      id: newId('job'),
      sourceId: source.id,
      ...spec,
      metadata: dto.metadata ?? {},
      promise: {
        version: operation.model.version,
        scale: operation.scales[spec.level],
        producesAlpha: operation.producesAlpha,
      },
      sourcePixels: source.width * source.height,
      requestHash: requestHash(source.sha256, spec),
      period: quotaPeriod(createdAt.getTime()),
      createdAt,
    };
  }

  /** A new job as clients and events see it. */
  answerOf(
    job: NewJob & Partial<Pick<JobEntity, 'batchId' | 'batchIndex'>>,
    accountId: string,
    source: SourceOfJob,
  ): JobDto {
    return this.presenter.present({ ...UNTOUCHED, ...job, accountId, sourceFormat: source.format });
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

/** What a job does, with all defaults resolved. */
export interface JobSpec {
  readonly operation: string;
  readonly level: Level;
  readonly output: JobOutput;
}

/**
 * Reads operation and level of a request.
 * @throws AppError `invalid_request` for an operation that is not offered.
 */
export function readOperation(
  dto: Pick<JobRequestDto, 'operation'>,
  offered: readonly CatalogOperation[],
): CatalogOperation {
  const operation = offered.find((candidate) => candidate.operation === dto.operation);
  if (operation !== undefined) return operation;
  const names = offered.map((candidate) => candidate.operation).join(', ');
  throw invalidRequest([{ field: 'operation', code: 'enum', message: `operation must be one of ${names}.` }]);
}

export interface SourceShape {
  readonly format: ImageFormat;
  readonly width: number;
  readonly height: number;
  readonly hasAlpha: boolean;
}

/**
 * Resolves the defaults that depend on the source.
 * @throws AppError `invalid_request` when the output cannot hold transparency, `too_many_pixels`
 */
export function jobSpecOf(
  dto: JobRequestDto,
  operation: CatalogOperation,
  source: SourceShape,
  limits: OutputLimits,
): JobSpec {
  const level = dto.level ?? DEFAULT_LEVEL;
  const format = dto.output?.format ?? (operation.producesAlpha ? 'png' : source.format);
  const background = dto.output?.background?.toLowerCase() ?? null;
  if (operation.producesAlpha && format === 'jpeg' && background === null) {
    const message = `output.background is required for ${operation.operation} with jpeg, which has no transparency.`;
    throw invalidRequest([{ field: 'output.background', code: 'required', message }]);
  }
  const output = { format, quality: dto.output?.quality ?? null, background };
  refuseTooLarge(
    {
      ...sizeOf(operation, level, source),
      format,
      hasAlpha: background === null && (operation.producesAlpha || source.hasAlpha),
    },
    limits,
  );
  return { operation: operation.operation, level, output };
}

function sizeOf(
  operation: CatalogOperation,
  level: Level,
  { width, height }: Pick<SourceShape, 'width' | 'height'>,
): Pick<ResultShape, 'width' | 'height'> {
  const scale = operation.scales[level] ?? 1;
  return { width: width * scale, height: height * scale };
}

/** The fields of a new job. */
const UNTOUCHED = {
  traceparent: null,
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
  resultCrc32: null,
  batchId: null,
  batchIndex: null,
  retriedAs: null,
  resultExpiresAt: null,
  resultErasedAt: null,
  leaseToken: null,
  leaseExpiresAt: null,
  enqueuedAt: null,
  startedAt: null,
  completedAt: null,
  deletedAt: null,
} as const;
