import { Inject, Injectable, Logger } from '@nestjs/common';
import { readSessionCookie } from '../../auth/sessions/session-cookie.js';
import { SessionsRepository } from '../../auth/sessions/sessions.repository.js';
import type { FastifyRequest } from '../../common/requests/request-context.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import type { StoredFile } from '../../uploads/files/file-answer.js';
import type { SentBytes } from '../../uploads/files/sent-bytes.js';
import { JobCompletion } from '../job-completion.js';
import type { JobEntity } from '../job.entity.js';
import { JobsRepository } from '../jobs.repository.js';
import { resultFile } from '../result-file.js';

/** Results as files, and what happens once a reader has received all of one: see `retention` in docs/jobs.md. */
@Injectable()
export class ResultDelivery {
  private readonly logger = new Logger('results');

  constructor(
    private readonly jobs: JobsRepository,
    private readonly completion: JobCompletion,
    private readonly sessions: SessionsRepository,
    @Inject(CONFIG) private readonly config: Pick<Config, 'publicUrl'>,
  ) {}

  /** Like `resultFile`, but counts the bytes that are sent if the job asks for that. */
  fileOf(job: JobEntity): StoredFile | null {
    const file = resultFile(job);
    if (file === null || job.retention !== 'deliver') return file;
    return { ...file, onSent: (sent) => void this.note(job.id, sent) };
  }

  /**
   * Like `fileOf`, but an operator who is signed in as the customer does not erase a result by viewing it. The result is
   * sent to both in the same way: without a redirect, and not to be cached.
   */
  async fileFor(request: FastifyRequest, job: JobEntity): Promise<StoredFile | null> {
    const file = this.fileOf(job);
    if (file?.onSent === undefined || !(await this.isImpersonating(request))) return file;
    return { ...file, onSent: () => undefined };
  }

  /** Signed URLs need no session, but the pictures of the dashboard are requested with its cookie. */
  private async isImpersonating(request: FastifyRequest): Promise<boolean> {
    const token = readSessionCookie(request, this.config);
    const admitted = token === undefined ? undefined : await this.sessions.admit(token);
    return (admitted?.session.impersonation ?? null) !== null;
  }

  /** The response is over, so a failure here can only be logged. The result then expires at its usual time. */
  private async note(jobId: string, sent: SentBytes): Promise<void> {
    try {
      if (await this.jobs.noteDelivered(jobId, sent)) await this.completion.eraseResult(jobId);
    } catch (error) {
      this.logger.warn({ jobId, error: String(error) }, 'could not erase a delivered result');
    }
  }
}
