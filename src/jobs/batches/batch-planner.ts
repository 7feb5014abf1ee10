import { Inject, Injectable } from '@nestjs/common';
import type { Queryable } from '../../infra/database/database.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { acceptedUrl } from '../../webhooks/endpoints/endpoint-url.js';
import { AppError, type FieldError } from '../../kernel/app-error.js';
import { newId } from '../../kernel/ids.js';
import { FileUrls } from '../../uploads/files/file-urls.js';
import { sourceDeleted, sourceNotFound } from '../../uploads/sources/source-errors.js';
import { type SourceOfJob, SourcesRepository } from '../../uploads/sources/sources.repository.js';
import { withCurrentUrls } from '../creation/urls/current-urls.js';
import type { NewJob } from '../creation/job-creation.repository.js';
import type { JobTermsDto } from '../creation/create-job.dto.js';
import { jobTermsOf, resultSecondsOf } from '../creation/job-terms.js';
import { JobPlanner, type Owner } from '../creation/job-planner.js';
import { JobUploads } from '../creation/job-uploads.js';
import type { JobModel } from '../job.entity.js';
import type { JobDto } from '../../common/resources/job.dto.js';
import type { PlannedRequest } from './batch.js';
import type { BatchJob } from './batch-creation.repository.js';
import { inMode } from '../test-mode/test-job.js';
import { modelsInMode } from '../test-mode/test-model.js';

/** The most errors of a batch that one response lists. */
const MAX_BATCH_ERRORS = 100;

/** A source of a batch: its position, and its id or what is wrong with it. */
export interface ItemSource {
  readonly index: number;
  readonly sourceId: string | FieldError;
}

export interface PlannedJob {
  readonly job: BatchJob;
  readonly source: SourceOfJob;
  /** The models that the steps will record, the same for all items. */
  readonly models: readonly JobModel[];
}

/** An item as planned, or what is wrong with it. */
export interface PlannedItem {
  readonly index: number;
  readonly outcome: PlannedJob | { readonly error: FieldError };
}

/** Turns the request of a batch into jobs that can be inserted. Only reads, with one statement for all items. */
@Injectable()
export class BatchPlanner {
  constructor(
    private readonly planner: JobPlanner,
    private readonly uploads: JobUploads,
    private readonly fileUrls: FileUrls,
    private readonly sources: SourcesRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** The request without its preset. @throws AppError `invalid_request` for contradictions; `preset_not_found` */
  async requestOf(on: Queryable, accountId: string, dto: JobTermsDto): Promise<PlannedRequest> {
    const { cancelAfter, expiresIn, retention, callbackUrl, dryRun: _dryRun, ...asked } = dto;
    const terms = {
      ...(cancelAfter !== undefined && { cancelAfter }),
      ...(expiresIn !== undefined && { expiresIn }),
      ...(retention !== undefined && { retention }),
      ...(callbackUrl !== undefined && { callbackUrl: acceptedUrl(callbackUrl, this.config, 'callbackUrl') }),
    };
    return { ...(await this.planner.requestOf(on, accountId, asked)), ...terms };
  }

  /**
   * A request that was stored, so that it can be planned again, with results kept no longer than the plan allows now.
   * @throws AppError `invalid_request` when the service no longer accepts its callback
   */
  restored({ plan }: Owner, request: PlannedRequest): PlannedRequest {
    const { callbackUrl, expiresIn } = request;
    if (callbackUrl !== undefined) this.requireCallback(callbackUrl);
    return {
      ...withCurrentUrls(request, this.fileUrls),
      ...(expiresIn !== undefined && { expiresIn: Math.min(expiresIn, resultSecondsOf(plan, this.config)) }),
    };
  }

  /** The sources that a request names. */
  sourcesOf(sourceUrls: readonly unknown[]): ItemSource[] {
    return sourceUrls.map((url, index) => ({ index, sourceId: this.sourceIdIn(url, `sourceUrls.${index}`) }));
  }

  /**
   * Plans all items, or reports the first errors by index.
   * @throws AppError `invalid_request`
   */
  async planAll(
    on: Queryable,
    owner: Owner,
    request: PlannedRequest,
    sources: readonly ItemSource[],
  ): Promise<PlannedJob[]> {
    const items = await this.plan(on, owner, request, sources);
    if (items.some(({ outcome }) => 'error' in outcome)) throw invalidItems(items);
    return items.flatMap(({ outcome }) => ('error' in outcome ? [] : [outcome]));
  }

  /** @throws AppError `invalid_request` for faults that all items share */
  async plan(
    on: Queryable,
    owner: Owner,
    request: PlannedRequest,
    items: readonly ItemSource[],
  ): Promise<PlannedItem[]> {
    const { accountId, plan } = owner;
    const steps = this.planner.stepsOf(owner, request);
    const models = modelsInMode(accountId, steps);
    const picture = await this.uploads.background(on, accountId, request.output);
    const masks = await this.uploads.masks(on, accountId, steps);
    const ids = items.flatMap(({ sourceId }) => (typeof sourceId === 'string' ? [sourceId] : []));
    const found = await this.sources.findForJobs(on, accountId, [...new Set(ids)]);
    const byId = new Map(found.map((source) => [source.id, source]));
    const createdAt = new Date();
    const terms = { ...jobTermsOf(request, { plan, createdAt }, this.config), callbackUrl: null };
    const planned = new Map<string, NewJob | Omit<FieldError, 'field'>>();
    for (const id of new Set(ids))
      planned.set(
        id,
        planOrError(id, byId.get(id), (source) =>
          inMode(accountId, this.planner.jobOf(request, steps, { source, picture, masks }, createdAt).job),
        ),
      );
    return items.map(({ index, sourceId }) => {
      const field = `sourceUrls.${index}`;
      if (typeof sourceId !== 'string') return { index, outcome: { error: sourceId } };
      const one = planned.get(sourceId)!;
      if (!('id' in one)) return { index, outcome: { error: { field, ...one } } };
      const job = { ...one, ...terms, id: newId('job'), batchIndex: index };
      return { index, outcome: { job, source: byId.get(sourceId)!, models } };
    });
  }

  /** A planned job as clients and events see it. */
  answerOf({ job, source }: PlannedJob, batchId: string, accountId: string): JobDto {
    return this.planner.answerOf({ ...job, batchId }, accountId, source);
  }

  /** The URL of the source of an item. */
  sourceUrlOf({ id, format }: Pick<SourceOfJob, 'id' | 'format'>): string {
    return this.fileUrls.sign(id, format);
  }

  private requireCallback(callbackUrl: string): void {
    try {
      acceptedUrl(callbackUrl, this.config, 'callbackUrl');
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const detail = `This batch can't be retried, because its callback is no longer accepted. Create a new batch for its failed items. ${error.detail}`;
      throw new AppError('invalid_request', { detail, errors: error.errors });
    }
  }

  private sourceIdIn(url: unknown, field: string): string | FieldError {
    if (typeof url !== 'string') return { field, code: 'type', message: `${field} must be a string.` };
    const id = this.fileUrls.sourceIdIn(url);
    if (id !== undefined) return id;
    return { field, code: 'foreign', message: `${field} isn't the URL of an upload in your account.` };
  }
}

/** @throws AppError for what does not depend on the source */
function planOrError(
  id: string,
  source: SourceOfJob | undefined,
  plan: (source: SourceOfJob) => NewJob,
): NewJob | Omit<FieldError, 'field'> {
  if (source === undefined) return asItemError(sourceNotFound(id));
  if (source.deleted) return asItemError(sourceDeleted(id));
  try {
    return plan(source);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const code = error.errors[0]?.code;
    if (code === 'conflict' && !source.hasAlpha) {
      // Another source may have the transparency that the output needs.
      const other = planOrError(id, { ...source, hasAlpha: true }, plan);
      return 'id' in other ? { ...asItemError(error), code } : other;
    }
    // Another source may reach a size that this one cannot.
    if (error.code !== 'too_many_pixels' && code !== 'range') throw error;
    return { ...asItemError(error), ...(code === 'range' && { code }) };
  }
}

function asItemError({ code, detail }: AppError): Omit<FieldError, 'field'> {
  return { code, message: detail };
}

/** The 400 that names the first invalid items; there is at least one. */
export function invalidItems(items: readonly PlannedItem[]): AppError {
  const errors = items.flatMap(({ outcome }) => ('error' in outcome ? [outcome.error] : []));
  return new AppError('invalid_request', {
    detail: `${errors.length} of ${items.length} items ${errors.length === 1 ? 'is' : 'are'} invalid. No job was created. ${errors[0]!.message}`,
    errors: errors.slice(0, MAX_BATCH_ERRORS),
  });
}
