import { Module } from '@nestjs/common';
import { FileUrlsModule } from '../uploads/file-urls.module.js';
import { QuotasModule } from '../quotas/quotas.module.js';
import { FairQueueRepository } from './fair-queue.repository.js';
import { JobEndings } from './job-endings.service.js';
import { JobLeaseRepository } from './job-lease.repository.js';
import { JobPresenter } from './job-presenter.js';
import { JobsRepository } from './jobs.repository.js';

/** What all three roles know of jobs: reading them and moving them on. No HTTP, no queue. */
@Module({
  imports: [FileUrlsModule, QuotasModule],
  providers: [JobsRepository, FairQueueRepository, JobLeaseRepository, JobPresenter, JobEndings],
  exports: [JobsRepository, FairQueueRepository, JobLeaseRepository, JobPresenter, JobEndings],
})
export class JobCoreModule {}
