import { Inject, Injectable } from '@nestjs/common';
import { auditLog } from '../../audit/audit-log.js';
import { invalidRequest } from '../../common/validation/validation.pipe.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { Database } from '../../infra/database/database.js';
import { AppError } from '../../kernel/app-error.js';
import { isId, newId } from '../../kernel/ids.js';
import type { JobEntity } from '../job.entity.js';
import { JobsRepository } from '../jobs.repository.js';
import { resultFile } from '../result-file.js';
import { JobSourceNamesRepository } from '../session/job-source-names.repository.js';
import type { CreateShareLinkDto, NewShareLinkDto, ShareLinkDto } from './share-link.dto.js';
import { type ShareLink, ShareLinksRepository } from './share-links.repository.js';
import { hashSecretToken, newSecretToken } from '../../kernel/secret-token.js';

/** Links by which people without an account can see a result until the link or the result expires. */
@Injectable()
export class ShareLinksService {
  constructor(
    private readonly links: ShareLinksRepository,
    private readonly jobs: JobsRepository,
    private readonly names: JobSourceNamesRepository,
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @throws AppError `not_found`, `gone`, `invalid_request`, `share_link_limit_reached` */
  async create(accountId: string, dto: CreateShareLinkDto): Promise<NewShareLinkDto> {
    const job = await this.jobs.read(accountId, dto.jobId);
    if (job === undefined || job.deletedAt !== null) throw new AppError('not_found');
    const resultExpiresAt = expiryOfShareable(job);
    const token = newSecretToken();
    const link = {
      id: newId('shareLink'),
      jobId: job.id,
      tokenHash: hashSecretToken(token),
      showsOriginal: dto.showsOriginal === true,
      lifetimeSeconds: dto.expiresIn,
      resultExpiresAt,
    };
    const made = await this.database.transaction(async (tx) => {
      const inserted = await this.links.insert(tx, accountId, link);
      if (inserted === undefined) throw new AppError('share_link_limit_reached');
      const { id: targetId, jobId, showsOriginal, expiresAt } = inserted;
      const details = { jobId, showsOriginal, expiresAt: expiresAt.toISOString() };
      await auditLog.record(tx, { action: 'share_link.created', accountId, targetId, details });
      return inserted;
    });
    const [dtoOfLink] = await this.presented(accountId, [made]);
    return Object.assign(dtoOfLink!, { url: `${this.config.publicUrl}/share/${token}` });
  }

  /** Active links, newest first. */
  async list(accountId: string, jobId: string | undefined): Promise<ShareLinkDto[]> {
    return this.presented(accountId, await this.links.list(accountId, jobId ?? null));
  }

  /** @throws AppError `not_found` */
  async revoke(accountId: string, id: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      const jobId = isId('shareLink', id) ? await this.links.delete(tx, accountId, id) : undefined;
      if (jobId === undefined) throw new AppError('not_found');
      await auditLog.record(tx, {
        action: 'share_link.revoked',
        accountId,
        targetId: id,
        details: { jobId },
      });
    });
  }

  private async presented(accountId: string, links: readonly ShareLink[]): Promise<ShareLinkDto[]> {
    const names = await this.names.namesOf(
      accountId,
      links.map(({ jobId }) => jobId),
    );
    return links.map(({ id, jobId, showsOriginal, createdAt, expiresAt }) => ({
      id,
      jobId,
      sourceName: names.get(jobId) ?? null,
      showsOriginal,
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
    }));
  }
}

/** When the result expires. @throws AppError `gone`, `invalid_request` */
function expiryOfShareable(job: JobEntity): Date {
  const file = resultFile(job);
  if (file === null || job.resultExpiresAt === null)
    throw notShareable('jobId must be a completed job. This job has no result.');
  if (file.goneBecause !== null) throw new AppError('gone', { detail: file.goneBecause });
  if (job.retention === 'deliver')
    throw notShareable('This result is deleted once it has been downloaded, so it cannot be shared.');
  return job.resultExpiresAt;
}

function notShareable(message: string): AppError {
  return invalidRequest([{ field: 'jobId', code: 'not_shareable', message }]);
}
