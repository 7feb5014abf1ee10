import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import type { Queryable } from '../../infra/database/database.js';
import { quotaPeriod } from '../../kernel/time/clock.js';
import { newId } from '../../kernel/ids.js';
import type { Principal } from '../../kernel/principal.js';
import { AvailableOperations } from '../../models/serving/available-operations.js';
import type { Requester } from '../../models/serving/canary-share.js';
import type { StepMask } from '../../kernel/step-options.js';
import type { SourceOfJob } from '../../uploads/sources/sources.repository.js';
import { PresetExpansion } from '../presets/preset-expansion.js';
import type { CreateJobDto, JobRequestDto } from './create-job.dto.js';
import { jobTermsOf, USUAL_TERMS } from './job-terms.js';
import type { NewJob } from './job-creation.repository.js';
import { JobUploads } from './job-uploads.js';
import { jobSpecOf, type OfferedStep, offeredSteps, type ResultShape } from './job-spec.js';
import { needsFinishing } from '../job-output.js';
import type { RequestedBackground } from './output/output-plan.js';
import { type Expanded, type JobRequest, requestedSteps } from './requested-steps.js';
import { JobPresenter } from '../job-presenter.js';
import type { JobEntity, JobModel } from '../job.entity.js';
import { inMode } from '../test-mode/test-job.js';
import { modelsInMode } from '../test-mode/test-model.js';
import { operationsInMode } from '../test-mode/test-operations.js';
import { plannedTestOutcome, type TestOutcome } from '../test-mode/test-outcome.js';
import { requestHash } from '../cache/request-hash.js';
import { requestOf, stepColumns } from '../job-step.js';
import type { JobDto } from '../../common/resources/job.dto.js';

export interface PlannedJob {
  readonly job: NewJob;
  readonly result: ResultShape;
  /** The models that the steps will record. */
  readonly models: readonly JobModel[];
  readonly source: SourceOfJob;
  /** Whether the client accepts the result of an equal job. */
  readonly cache: boolean | null;
  /** What a job of test mode was asked to do. */
  readonly testOutcome: TestOutcome | undefined;
  /** The job as the client and the event see it at creation. */
  readonly answer: () => JobDto;
}

/** The owner of the job. */
export type Owner = Pick<Principal, 'accountId' | 'plan' | 'keyId'>;

/** The uploads that a job reads. */
export interface PicturesOfJob {
  readonly source: SourceOfJob;
  readonly picture?: RequestedBackground | undefined;
  readonly masks?: readonly (StepMask | undefined)[] | undefined;
}

/** Turns a request into a job that can be inserted. Reads only. */
@Injectable()
export class JobPlanner {
  constructor(
    private readonly available: AvailableOperations,
    private readonly uploads: JobUploads,
    private readonly presenter: JobPresenter,
    private readonly presets: PresetExpansion,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * @param known the upload, if it need not be read
   * @throws AppError `invalid_request`, `invalid_source_url`, `not_found`, `preset_not_found`, `gone`,
   * `too_many_pixels`; in test mode `rate_limited` if the test asks for it
   */
  async plan(on: Queryable, owner: Owner, dto: CreateJobDto, known?: SourceOfJob): Promise<PlannedJob> {
    const { accountId, plan } = owner;
    const request = await this.requestOf(on, accountId, dto);
    const requested = this.stepsOf(owner, request);
    const source = known ?? (await this.uploads.read(on, accountId, dto.sourceUrl, 'sourceUrl'));
    const picture = await this.uploads.background(on, accountId, request.output);
    const masks = await this.uploads.masks(on, accountId, requested);
    const createdAt = new Date();
    const { job: planned, result } = this.jobOf(request, requested, { source, picture, masks }, createdAt);
    const job = inMode(accountId, { ...planned, ...jobTermsOf(dto, { plan, createdAt }, this.config) });
    const { metadata } = job;
    return {
      job,
      testOutcome: plannedTestOutcome({ accountId, metadata, sourceName: source.name }),
      models: modelsInMode(accountId, requested),
      source,
      cache: dto.cache ?? null,
      result,
      answer: () => this.answerOf(job, accountId, source),
    };
  }

  /** The request without its preset. @throws AppError `invalid_request` for contradictions; `preset_not_found` */
  requestOf<Dto extends JobRequestDto>(on: Queryable, accountId: string, dto: Dto): Promise<Expanded<Dto>> {
    return this.presets.expand(on, accountId, dto);
  }

  /** @throws AppError `invalid_request` for operations and versions that are not offered */
  stepsOf(requester: Requester, request: JobRequest): readonly OfferedStep[] {
    const { accountId } = requester;
    return offeredSteps(requestedSteps(request), {
      operations: operationsInMode(accountId, this.available.operationsFor(requester)),
      versions: operationsInMode(accountId, this.available.versions()),
    });
  }

  /**
   * @param requested from `stepsOf`
   * @param pictures from `JobUploads`
   * @throws AppError `invalid_request`, `too_many_pixels`
   */
  jobOf(
    request: JobRequest,
    requested: readonly OfferedStep[],
    pictures: PicturesOfJob,
    createdAt: Date,
  ): { readonly job: NewJob; readonly result: ResultShape } {
    const { source } = pictures;
    const { steps, output, result } = jobSpecOf(requested, request.output, pictures, this.config);
    const job: NewJob = {
      id: newId('job'),
      sourceId: source.id,
      ...stepColumns(steps, needsFinishing(output)),
      output,
      metadata: request.metadata ?? {},
      preset: request.presetName ?? null,
      sourcePixels: source.width * source.height,
      ...USUAL_TERMS,
      requestHash: requestHash(source.sha256, { steps: steps.map(requestOf), output }),
      period: quotaPeriod(createdAt.getTime()),
      createdAt,
    };
    return { job, result };
  }

  /** A new job as clients and events see it. */
  answerOf(
    job: NewJob & Partial<Pick<JobEntity, 'batchId' | 'batchIndex'>>,
    accountId: string,
    source: SourceOfJob,
  ): JobDto {
    return this.presenter.present({ ...UNTOUCHED, ...job, accountId, sourceFormat: source.format });
  }
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
  clockTurn: null,
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
  resultApplied: null,
  leaseToken: null,
  leaseExpiresAt: null,
  enqueuedAt: null,
  startedAt: null,
  completedAt: null,
  deletedAt: null,
} as const;
