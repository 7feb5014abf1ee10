import { Inject, Injectable } from '@nestjs/common';
import type { JobDto } from '../../common/resources/job.dto.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import type { Queryable } from '../../infra/database/database.js';
import { ObjectStore } from '../../infra/storage/object-store.js';
import { livemodeOf, TEST_PIXELS_SECONDS } from '../../kernel/accounts/livemode.js';
import { AppError } from '../../kernel/app-error.js';
import { allEnded } from '../../kernel/concurrency/all-ended.js';
import { IMAGE_EXTENSIONS, type ImageFormat } from '../../kernel/operations.js';
import type { Principal } from '../../kernel/principal.js';
import { thumbnailKey } from '../../uploads/thumbnails/thumbnail.js';
import type { PlannedJob } from '../creation/job-planner.js';
import type { NewJob } from '../creation/job-creation.repository.js';
import type { JobEntity, JobModel } from '../job.entity.js';
import { JobPresenter, type JobWithSource } from '../job-presenter.js';
import { resultKey } from '../result-key.js';
import { type KnownRequest, KnownResults } from './known-results.js';
import { type EqualJob, ResultCacheRepository } from './result-cache.repository.js';

/** What decides whether a request may reuse results at all. */
type Reusing = Partial<Pick<PlannedJob, 'cache' | 'testOutcome'>>;

/** A new job and its place in a batch, if it is in one. */
type CopyingJob = NewJob & Partial<Pick<JobEntity, 'batchId' | 'batchIndex'>>;

/** A job that was completed with a copied result. */
export interface ReusedJob {
  readonly answer: JobDto;
  /** Pass it to `discard` if its transaction is rolled back. */
  readonly copy: Copy;
}

type Copy = Pick<JobWithSource, 'id' | 'resultKey'>;

/** The object keys of a job that uses the result of `original`. */
export function copyKeys(
  original: Pick<JobEntity, 'resultFormat'>,
  jobId: string,
): { readonly key: string; readonly thumbnail: string } {
  const extension = IMAGE_EXTENSIONS[original.resultFormat!];
  return { key: resultKey(jobId, 1, extension), thumbnail: thumbnailKey(jobId) };
}

/**
 * Completes a job at once with the result of an equal one. The result is copied in the object store, so that both jobs
 * are deleted and expire independently of each other.
 */
@Injectable()
export class ResultCache {
  constructor(
    private readonly repository: ResultCacheRepository,
    private readonly presenter: JobPresenter,
    private readonly store: ObjectStore,
    private readonly known: KnownResults,
    @Inject(CONFIG) private readonly config: Pick<Config, 'resultCache' | 'resultRetentionSeconds'>,
  ) {}

  /**
   * Whether a request may get the result of an equal job. The request decides; otherwise, the setting of the account.
   * @param cache the value in the request
   */
  mayReuse({ resultCache }: Principal, cache: boolean | null | undefined): boolean {
    return this.config.resultCache && (cache ?? resultCache) !== false;
  }

  /** The job whose result a new one may use; undefined without one, or while the cache is off. */
  async find(on: Queryable, principal: Principal, planned: PlannedJob): Promise<JobWithSource | undefined> {
    if (this.isOff(principal, planned)) return undefined;
    return this.repository.find(on, principal.accountId, equalTo(planned));
  }

  /**
   * The jobs whose results the items of a batch may use, by the hash of the request in hex.
   * @param cache the value in the request
   */
  async findAll(
    on: Queryable,
    principal: Principal,
    { jobs, models, cache }: { jobs: readonly NewJob[]; models: readonly JobModel[]; cache?: boolean },
  ): Promise<Map<string, JobWithSource>> {
    if (this.isOff(principal, { cache: cache ?? null })) return new Map();
    const unique = new Map(jobs.map(({ requestHash }) => [requestHash.toString('hex'), requestHash]));
    const found = await this.repository.findAll(on, principal.accountId, {
      hashes: [...unique.values()],
      models,
      isAsked: cache === true,
    });
    return new Map(found.map((job) => [job.hashHex, job]));
  }

  /**
   * Copies a result for a new job.
   * @returns the new job as completed; undefined when the result has just been erased
   */
  async copyFor(
    original: JobWithSource,
    job: CopyingJob,
    sourceFormat: ImageFormat,
  ): Promise<JobWithSource | undefined> {
    const [isCopied] = await allEnded(
      this.copyResult(original, job.id),
      this.copyThumbnail(original, job.id),
    );
    if (isCopied) return this.completed(original, job, sourceFormat);
    await this.store.delete(thumbnailKey(job.id)).catch(() => undefined);
    return undefined;
  }

  /**
   * Creates a completed job. Costs no enhancement; its result counts as storage.
   * @returns null when there is nothing to reuse; the job is then to be created the usual way
   */
  async reuse(
    on: Queryable,
    principal: Principal,
    planned: PlannedJob,
  ): Promise<ReusedJob | 'storage_full' | null> {
    const reused = await this.reuseKnown(on, principal, planned);
    if (reused !== null) return reused;
    const original = await this.find(on, principal, planned);
    return original === undefined ? null : this.reuseOf(original, on, principal, planned);
  }

  /** Like `reuse`, with a job that this process has reused before. */
  private async reuseKnown(
    on: Queryable,
    principal: Principal,
    planned: PlannedJob,
  ): Promise<ReusedJob | 'storage_full' | null> {
    const request = knownRequest(principal, planned);
    const original = this.isOff(principal, planned) ? undefined : this.known.job(request);
    if (original === undefined) return null;
    const reused = await this.reuseOf(original, on, principal, planned);
    if (reused === null) this.known.forget(request);
    return reused;
  }

  private async reuseOf(
    original: JobWithSource,
    on: Queryable,
    principal: Principal,
    planned: PlannedJob,
  ): Promise<ReusedJob | 'storage_full' | null> {
    if (!(await this.copyResult(original, planned.job.id))) return null;
    const job = this.completed(original, planned.job, planned.source.format);
    const equal = { ...equalTo(planned), id: original.id };
    const event = { job: this.presenter.present(job) };
    // After an error, the row may exist and need its bytes. If it does not, the orphan sweep deletes them.
    const inserting = this.repository.insert(on, principal, job, equal, event);
    const [outcome] = await Promise.all([inserting, this.copyThumbnail(original, job.id)]);
    if (typeof outcome === 'string') {
      await this.discard(job);
      return outcome === 'gone' ? null : outcome;
    }
    const created = { ...job, ...outcome };
    const lastsLonger = created.resultExpiresAt > original.resultExpiresAt!;
    this.known.add(knownRequest(principal, planned), lastsLonger ? created : original);
    return { answer: this.presenter.present(created), copy: job };
  }

  /** A reused result would hide the outcome that a test asks for. */
  private isOff(principal: Principal, { cache, testOutcome }: Reusing): boolean {
    return testOutcome !== undefined || !this.mayReuse(principal, cache);
  }

  /** False when the result was erased a moment ago. */
  private async copyResult(original: JobWithSource, jobId: string): Promise<boolean> {
    try {
      await this.store.copy(original.resultKey!, copyKeys(original, jobId).key);
      return true;
    } catch (error) {
      if (error instanceof AppError && error.code === 'gone') return false;
      throw error;
    }
  }

  /** Never fails: thumbnails are optional. */
  private async copyThumbnail(original: JobWithSource, jobId: string): Promise<void> {
    const { thumbnail } = copyKeys(original, jobId);
    await this.store.copy(thumbnailKey(original.id), thumbnail, { mayBeLost: true }).catch(() => undefined);
  }

  /** Deletes the copy of a job that was not created. */
  async discard(job: Copy): Promise<void> {
    await Promise.all([this.store.delete(job.resultKey!), this.store.delete(thumbnailKey(job.id))]);
  }

  private completed(original: JobWithSource, job: CopyingJob, sourceFormat: ImageFormat): JobWithSource {
    const completedAt = new Date();
    const asked = job.expiresIn ?? this.config.resultRetentionSeconds;
    // The worker does the same for results that it draws.
    const keptSeconds = livemodeOf(original.accountId) ? asked : Math.min(asked, TEST_PIXELS_SECONDS);
    const totalMs = Math.max(0, completedAt.getTime() - job.createdAt.getTime());
    return {
      ...original,
      id: job.id,
      sourceId: job.sourceId,
      sourceFormat,
      batchId: job.batchId ?? null,
      batchIndex: job.batchIndex ?? null,
      retriedAs: null,
      metadata: job.metadata,
      callbackUrl: job.callbackUrl,
      cancelAt: null,
      expiresIn: job.expiresIn,
      retention: job.retention,
      period: job.period,
      preset: job.preset,
      steps: original.steps && original.steps.map((step) => ({ ...step, inferenceMs: 0 })),
      enhancements: 0,
      attempts: 0,
      timings: { queuedMs: 0, decodeMs: 0, inferenceMs: 0, encodeMs: 0, totalMs },
      resultKey: copyKeys(original, job.id).key,
      resultExpiresAt: new Date(completedAt.getTime() + keptSeconds * 1_000),
      createdAt: job.createdAt,
      startedAt: job.createdAt,
      completedAt,
      cached: true,
    };
  }
}

function equalTo({ job, models, cache }: PlannedJob): EqualJob {
  return { hash: job.requestHash, models, isAsked: cache === true };
}

function knownRequest({ accountId }: Principal, { job, models }: PlannedJob): KnownRequest {
  return { accountId, requestHash: job.requestHash, models };
}
