import { Injectable, Logger } from '@nestjs/common';
import type { SentBytes, StoredFile } from '../../uploads/files/file-answer.js';
import { JobCompletion } from '../job-completion.js';
import type { JobEntity } from '../job.entity.js';
import { JobsRepository } from '../jobs.repository.js';
import { resultFile } from '../result-file.js';

/** Results as files, and what follows when a reader has got all of one: see `retention` in docs/jobs.md. */
@Injectable()
export class ResultDelivery {
  private readonly logger = new Logger('results');

  constructor(
    private readonly jobs: JobsRepository,
    private readonly completion: JobCompletion,
  ) {}

  /** As `resultFile`; what is sent of it is counted if the job asks for that. */
  fileOf(job: JobEntity): StoredFile | null {
    const file = resultFile(job);
    if (file === null || job.retention !== 'deliver') return file;
    return { ...file, onSent: (sent) => void this.note(job.id, sent) };
  }

  /** The response is over, so that a failure here can only be logged. Then the result expires at its time. */
  private async note(jobId: string, sent: SentBytes): Promise<void> {
    try {
      if (await this.jobs.noteDelivered(jobId, sent)) await this.completion.eraseResult(jobId);
    } catch (error) {
      this.logger.warn({ jobId, error: String(error) }, 'could not erase a delivered result');
    }
  }
}
