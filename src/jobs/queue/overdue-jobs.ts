import { Injectable } from '@nestjs/common';
import { secondsText } from '../../kernel/time/seconds-text.js';
import { JobCompletion } from '../job-completion.js';
import { OverdueJobsRepository } from './overdue-jobs.repository.js';

const BATCH = 500;

/** Cancels jobs that have not ended in the time that their clients gave them, and waiting jobs of suspended accounts. */
@Injectable()
export class OverdueJobs {
  constructor(
    private readonly overdue: OverdueJobsRepository,
    private readonly completion: JobCompletion,
  ) {}

  /** Their enhancements are given back. A worker that runs one of them stops at once. */
  async cancel(): Promise<void> {
    for (const { id, seconds, isSuspended } of await this.overdue.find(BATCH)) {
      const message = isSuspended
        ? 'The account was suspended while the job waited. The job was not charged.'
        : `The job did not finish within ${secondsText(seconds)} of its creation, the limit set by \`cancelAfter\`.`;
      await this.completion.fail(id, null, 'canceled', message);
    }
  }
}
