import { randomUUID } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Config } from '../config/env.js';
import { CONFIG } from '../config/tokens.js';
import { JobEndings } from './job-endings.service.js';
import { JobLeaseRepository } from './job-lease.repository.js';
import { UnservedJobsRepository } from './unserved-jobs.repository.js';

const BATCH = 500;

/** Ends jobs that wait in vain: every model that does what they were promised is gone, and stays gone. */
@Injectable()
export class UnservedJobs {
  private readonly logger = new Logger('jobs');

  constructor(
    private readonly unserved: UnservedJobsRepository,
    private readonly leases: JobLeaseRepository,
    private readonly endings: JobEndings,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Fails them and gives their quota back. Each is claimed first, so that a worker which comes just now is not robbed. */
  async end(): Promise<void> {
    const { jobUnservedMs, jobLeaseMs } = this.config;
    for (const { id, operation } of await this.unserved.find(jobUnservedMs, BATCH)) {
      const lease = { jobId: id, token: randomUUID() };
      if ((await this.leases.claim(lease, jobLeaseMs)) === undefined) continue;
      const detail = `No model serves "${operation}" any more as it did when the job was created.`;
      if (await this.endings.fail(id, lease.token, 'processing_failed', detail))
        this.logger.warn({ jobId: id, operation }, 'job failed: no worker can run it as it was promised');
    }
  }
}
