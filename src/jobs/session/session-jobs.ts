import { Inject, Injectable } from '@nestjs/common';
import type { Page } from '../../common/lists/pagination.js';
import type { IdempotentAnswer } from '../../idempotency/idempotency.service.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import type { CreateJobDto } from '../creation/create-job.dto.js';
import type { MaskDto } from '../creation/enhancement-step.dto.js';
import { resultSecondsOf } from '../creation/job-terms.js';
import { requestFingerprints } from '../creation/urls/request-fingerprints.js';
import type { JobDto } from '../../common/resources/job.dto.js';
import { JobsRepository } from '../jobs.repository.js';
import { type JobListQuery, JobsService } from '../jobs.service.js';
import { thumbnailName } from '../../uploads/thumbnails/thumbnail.js';
import type { Principal } from '../../kernel/principal.js';
import { FileUrls } from '../../uploads/files/file-urls.js';
import type { SessionJobDto } from './session-job.dto.js';
import type { SessionListJobsQueryDto } from './session-list-jobs-query.dto.js';
import { JobKeysRepository } from './job-keys.repository.js';
import { JobSourceNamesRepository } from './job-source-names.repository.js';
import { repeatedJob } from './repeated-job.js';

/** Jobs of the public API with additional fields for the dashboard. */
@Injectable()
export class SessionJobs {
  constructor(
    private readonly jobs: JobsService,
    private readonly repository: JobsRepository,
    private readonly keys: JobKeysRepository,
    private readonly names: JobSourceNamesRepository,
    private readonly fileUrls: FileUrls,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async create(
    principal: Principal,
    dto: CreateJobDto,
    idempotencyKey: string | undefined,
  ): Promise<IdempotentAnswer<SessionJobDto>> {
    return this.answered(principal, this.jobs.create(principal, dto, idempotencyKey));
  }

  /**
   * Creates a job with the parameters of an existing one, including its preset, retention and pinned model versions.
   * @param mask corrects its cutout, in place of an earlier mask
   * @throws AppError `not_found`, `gone`, and the errors of `create`
   */
  async runAgain(
    principal: Principal,
    { id, mask }: { readonly id: string; readonly mask: MaskDto | undefined },
    idempotencyKey: string | undefined,
  ): Promise<IdempotentAnswer<SessionJobDto>> {
    const presented = await this.jobs.get(principal.accountId, id);
    const job = await this.repository.read(principal.accountId, id);
    const dto = repeatedJob(job!, presented, resultSecondsOf(principal.plan, this.config), mask);
    // The source URL is signed anew each time, so the key stands for the job instead.
    const asked = requestFingerprints('run again', mask ? { id, mask } : { id }, this.fileUrls);
    return this.answered(principal, this.jobs.create(principal, dto, idempotencyKey, asked));
  }

  private async answered(
    { accountId }: Principal,
    made: Promise<IdempotentAnswer<JobDto>>,
  ): Promise<IdempotentAnswer<SessionJobDto>> {
    const { body, replayed } = await made;
    return { body: await this.withExtras(accountId, body), replayed };
  }

  async list(accountId: string, query: SessionListJobsQueryDto): Promise<Page<SessionJobDto>> {
    const page = await this.jobs.list(accountId, listQueryOf(query));
    return this.pageWithExtras(accountId, page);
  }

  async pageWithExtras(accountId: string, page: Page<JobDto>): Promise<Page<SessionJobDto>> {
    return { ...page, data: await this.allWithExtras(accountId, page.data) };
  }

  async get(accountId: string, id: string): Promise<SessionJobDto> {
    return this.withExtras(accountId, await this.jobs.get(accountId, id));
  }

  async cancel(accountId: string, id: string): Promise<SessionJobDto> {
    return this.withExtras(accountId, await this.jobs.cancel(accountId, id));
  }

  private async withExtras(accountId: string, job: JobDto): Promise<SessionJobDto> {
    return (await this.allWithExtras(accountId, [job]))[0]!;
  }

  private async allWithExtras(accountId: string, jobs: readonly JobDto[]): Promise<SessionJobDto[]> {
    const ids = jobs.map(({ id }) => id);
    const [keys, sources] = await Promise.all([
      this.keys.keysOf(accountId, ids),
      this.names.keptOf(accountId, ids),
    ]);
    return jobs.map((job) => {
      const extras = { key: keys.get(job.id) ?? null, sourceName: sources.get(job.id) ?? null };
      return Object.assign(job, { thumbnailUrl: this.thumbnailOf(job, sources.has(job.id)), ...extras });
    });
  }

  private thumbnailOf(job: JobDto, isSourceKept: boolean): string | null {
    const isKept = job.result !== undefined && Date.parse(job.result.expiresAt) > Date.now();
    if (isKept) return this.fileUrls.signSteadily(thumbnailName(job.id));
    return isSourceKept ? this.ofSource(job) : null;
  }

  private ofSource({ sourceUrl }: JobDto): string | null {
    const id = this.fileUrls.sourceIdIn(sourceUrl);
    return id === undefined ? null : `/dashboard/api/ai/sources/${id}/thumbnail`;
  }
}

function listQueryOf({ canceled, name, ...query }: SessionListJobsQueryDto): JobListQuery {
  return {
    ...query,
    sourceName: name,
    isCanceled: canceled === undefined ? undefined : canceled === 'true',
  };
}
