import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module.js';
import { IdempotencyModule } from '../../idempotency/idempotency.module.js';
import { QuotasModule } from '../../quotas/quotas.module.js';
import { UploadsModule } from '../../uploads/uploads.module.js';
import { JobCoreModule } from '../job-core.module.js';
import { JobsModule } from '../jobs.module.js';
import { BatchCancellation } from './batch-cancellation.js';
import { BatchCreationRepository } from './batch-creation.repository.js';
import { BatchCreation } from './batch-creation.js';
import { BatchEndingsRepository } from './batch-endings.repository.js';
import { BatchJobs } from './batch-jobs.js';
import { BatchPlanner } from './batch-planner.js';
import { WebhooksModule } from '../../webhooks/webhooks.module.js';
import { BatchPreview } from './preview/batch-preview.js';
import { BatchReuse } from './batch-reuse.js';
import { BatchReuseRepository } from './batch-reuse.repository.js';
import { CopyRateLimit } from '../cache/copy-rate-limit.js';
import { ResultCopiesRepository } from '../cache/result-copies.repository.js';
import { BatchRetry } from './batch-retry.js';
import { BatchesController } from './batches.controller.js';
import { BatchesRepository } from './batches.repository.js';
import { BatchesService } from './batches.service.js';
import { ArchiveAnswer } from './results/archive-answer.js';
import { BatchArchive } from './results/batch-archive.js';
import { BatchResultsController } from './results/batch-results.controller.js';
import { ResultChecksums } from './results/result-checksums.js';
import { SelectionArchive } from './results/selection-archive.js';
import { SessionSelectedResultsController } from './results/session-selected-results.controller.js';
import { SessionBatchResultsController } from './results/session-batch-results.controller.js';
import { JobSourceNamesRepository } from '../session/job-source-names.repository.js';
import { SessionBatchesController } from './session/session-batches.controller.js';
import { SessionBatches } from './session/session-batches.js';

/** Batches of jobs, in the api. */
@Module({
  imports: [
    AuthModule,
    JobCoreModule,
    JobsModule,
    QuotasModule,
    UploadsModule,
    IdempotencyModule,
    WebhooksModule,
  ],
  controllers: [
    BatchesController,
    BatchResultsController,
    SessionBatchesController,
    SessionBatchResultsController,
    SessionSelectedResultsController,
  ],
  providers: [
    BatchesRepository,
    BatchCreationRepository,
    BatchEndingsRepository,
    BatchPlanner,
    BatchReuseRepository,
    ResultCopiesRepository,
    CopyRateLimit,
    BatchReuse,
    BatchJobs,
    BatchCreation,
    BatchPreview,
    BatchCancellation,
    BatchRetry,
    BatchesService,
    SessionBatches,
    JobSourceNamesRepository,
    ResultChecksums,
    ArchiveAnswer,
    BatchArchive,
    SelectionArchive,
  ],
  exports: [BatchesRepository, BatchRetry],
})
export class BatchesModule {}
