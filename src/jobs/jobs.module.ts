import { Module } from '@nestjs/common';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { QueueModule } from '../infra/queue/queue.module.js';
import { QuotasModule } from '../quotas/quotas.module.js';
import { AvailableOperationsModule } from '../models/serving/available-operations.module.js';
import { UploadsModule } from '../uploads/uploads.module.js';
import { JobCoreModule } from './job-core.module.js';
import { JobChanges } from './updates/job-changes.js';
import { JobCreationRepository } from './creation/job-creation.repository.js';
import { AuthModule } from '../auth/auth.module.js';
import { KnownResults } from './cache/known-results.js';
import { ResultCache } from './cache/result-cache.js';
import { ResultCacheRepository } from './cache/result-cache.repository.js';
import { JobWriter } from './creation/job-writer.js';
import { JobCreation } from './creation/job-creation.js';
import { JobDispatch } from './creation/job-dispatch.js';
import { JobEventsController } from './updates/job-events.controller.js';
import { JobPlanner } from './creation/job-planner.js';
import { JobUploads } from './creation/job-uploads.js';
import { ResultDelivery } from './delivery/result-delivery.js';
import { AdmissionCheck } from './preview/admission-check.js';
import { JobPreview } from './preview/job-preview.js';
import { QueueForecast } from './preview/queue-forecast.js';
import { QueueForecastRepository } from './preview/queue-forecast.repository.js';
import { JobStream } from './updates/job-stream.js';
import { JobWait } from './updates/job-wait.js';
import { JobsController } from './jobs.controller.js';
import { JobsService } from './jobs.service.js';
import { OperationsController } from './operations/operations.controller.js';
import { JobPicture } from './one-call/job-picture.js';
import { OneCall } from './one-call/one-call.js';
import { PresetExpansion } from './presets/preset-expansion.js';
import { PresetsRepository } from './presets/presets.repository.js';
import { PixelRateLimit } from './creation/pixel-rate-limit.js';
import { QueueGauge } from './queue/queue-gauge.js';
import { QueuePositions } from './updates/queue-positions.js';
import { QueuePositionsRepository } from './updates/queue-positions.repository.js';
import { ResultFilesController } from './result-files.controller.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { JobKeysRepository } from './session/job-keys.repository.js';
import { JobSourceNamesRepository } from './session/job-source-names.repository.js';
import { SessionJobsController } from './session/session-jobs.controller.js';
import { SessionJobs } from './session/session-jobs.js';
import { SessionResultsController } from './session/session-results.controller.js';

/** Jobs in the api. */
@Module({
  imports: [
    AuthModule,
    JobCoreModule,
    QuotasModule,
    UploadsModule,
    IdempotencyModule,
    QueueModule,
    AvailableOperationsModule,
    WebhooksModule,
  ],
  controllers: [
    JobsController,
    JobEventsController,
    OperationsController,
    ResultFilesController,
    SessionJobsController,
    SessionResultsController,
  ],
  providers: [
    JobCreationRepository,
    QueueGauge,
    PixelRateLimit,
    JobDispatch,
    PresetsRepository,
    PresetExpansion,
    JobUploads,
    JobPlanner,
    ResultCacheRepository,
    KnownResults,
    ResultCache,
    JobWriter,
    JobCreation,
    OneCall,
    JobPicture,
    QueueForecastRepository,
    QueueForecast,
    AdmissionCheck,
    JobPreview,
    ResultDelivery,
    JobChanges,
    JobWait,
    QueuePositionsRepository,
    QueuePositions,
    JobStream,
    JobsService,
    JobKeysRepository,
    JobSourceNamesRepository,
    SessionJobs,
  ],
  exports: [
    JobCoreModule,
    JobCreation,
    JobsService,
    PresetsRepository,
    PresetExpansion,
    JobUploads,
    JobPlanner,
    ResultCache,
    JobDispatch,
    SessionJobs,
    QueueForecast,
    AvailableOperationsModule,
  ],
})
export class JobsModule {}
