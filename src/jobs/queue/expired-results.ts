import { Injectable } from '@nestjs/common';
import { JobCompletion } from '../job-completion.js';
import { JobsRepository } from '../jobs.repository.js';

const BATCH = 500;

/** Erases results that have expired, or whose job was deleted. */
@Injectable()
export class ExpiredResults {
  constructor(
    private readonly jobs: JobsRepository,
    private readonly completion: JobCompletion,
  ) {}

  /** @throws AppError `service_unavailable` when the store does not respond; the next round continues */
  async erase(): Promise<void> {
    for (const id of await this.jobs.expiredResults(BATCH)) await this.completion.eraseResult(id);
  }
}
