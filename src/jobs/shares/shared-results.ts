import { Injectable } from '@nestjs/common';
import type { StoredFile } from '../../uploads/files/file-answer.js';
import { SourcesRepository } from '../../uploads/sources/sources.repository.js';
import { operationsOf } from '../job-step.js';
import type { JobEntity } from '../job.entity.js';
import { JobsRepository } from '../jobs.repository.js';
import { resultFile } from '../result-file.js';
import { resultName } from '../session/result-name.js';
import { ShareLinksRepository } from './share-links.repository.js';
import { hashSecretToken, isSecretToken } from '../../kernel/secret-token.js';

/** What a link shows. Nothing in it names the account, the job or the file that was uploaded. */
export interface SharedResult {
  readonly file: StoredFile;
  /** Name of a download. */
  readonly saveAs: string;
  /** The source, when the link shows it and it still exists. */
  readonly original: StoredFile | null;
  readonly widthPixels: number;
  readonly heightPixels: number;
  readonly sizeBytes: number;
  readonly expiresAt: Date;
}

/**
 * `unknown`: no such link, or it was revoked. `gone`: it or its result has expired or was deleted, or its account is
 * suspended.
 */
export type SharedResultLookup = SharedResult | 'unknown' | 'gone';

/** Ids appear in `Content-Disposition`. */
const ANONYMOUS = { id: 'photo' } as const;

/** Finds what the holder of a link may see. */
@Injectable()
export class SharedResults {
  constructor(
    private readonly links: ShareLinksRepository,
    private readonly jobs: JobsRepository,
    private readonly sources: SourcesRepository,
  ) {}

  async find(token: string): Promise<SharedResultLookup> {
    const link = isSecretToken(token) ? await this.links.findByTokenHash(hashSecretToken(token)) : undefined;
    if (link === undefined) return 'unknown';
    if (link.isSuspended || link.expiresAt.getTime() <= Date.now()) return 'gone';
    const job = await this.jobs.findById(link.jobId);
    const file = job === undefined ? null : resultFile(job);
    if (job === undefined || file === null || file.goneBecause !== null) return 'gone';
    return {
      file: { ...file, ...ANONYMOUS },
      saveAs: resultName(null, operationsOf(job), file.format),
      original: link.showsOriginal ? await this.originalOf(job) : null,
      widthPixels: job.resultWidth!,
      heightPixels: job.resultHeight!,
      sizeBytes: job.resultBytes!,
      expiresAt: link.expiresAt,
    };
  }

  private async originalOf({ sourceId, accountId }: JobEntity): Promise<StoredFile | null> {
    const source = await this.sources.findForSignedUrl(sourceId);
    if (source === null || source.deletedAt !== null) return null;
    const { objectKey, format, sha256 } = source;
    return { ...ANONYMOUS, accountId, objectKey, format, sha256, goneBecause: null };
  }
}
