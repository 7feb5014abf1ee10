import { Module } from '@nestjs/common';
import { JobEndMetrics } from '../infra/telemetry/job-end-metrics.js';
import { Metrics } from '../infra/telemetry/metrics.js';
import { FileUrlsModule } from '../uploads/files/file-urls.module.js';
import { QuotasModule } from '../quotas/quotas.module.js';
import { FairQueueRepository } from './queue/fair-queue.repository.js';
import { BatchCountersRepository } from './batches/batch-counters.repository.js';
import { JobCompletion } from './job-completion.js';
import { JobEndRecorder } from './job-end-recorder.js';
import { JobLeaseRepository } from './queue/job-lease.repository.js';
import { JobMessagesRepository } from './queue/job-messages.repository.js';
import { JobPresenter } from './job-presenter.js';
import { JobsRepository } from './jobs.repository.js';

/** Shared by all three roles: reading jobs and changing their state. No HTTP, no queue. */
@Module({
  imports: [FileUrlsModule, QuotasModule],
  providers: [
    JobsRepository,
    FairQueueRepository,
    JobLeaseRepository,
    JobMessagesRepository,
    JobPresenter,
    BatchCountersRepository,
    {
      provide: JobEndMetrics,
      inject: [Metrics],
      useFactory: (metrics: Metrics) => new JobEndMetrics(metrics),
    },
    JobEndRecorder,
    JobCompletion,
  ],
  exports: [
    JobsRepository,
    FairQueueRepository,
    JobLeaseRepository,
    JobMessagesRepository,
    JobPresenter,
    BatchCountersRepository,
    JobEndRecorder,
    JobCompletion,
  ],
})
export class JobCoreModule {}
