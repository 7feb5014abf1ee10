import { Module } from '@nestjs/common';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { QueueModule } from '../infra/queue/queue.module.js';
import { QuotasModule } from '../quotas/quotas.module.js';
import { OfferedModule } from '../serving/offered.module.js';
import { UploadsModule } from '../uploads/uploads.module.js';
import { JobCoreModule } from './job-core.module.js';
import { JobChanges } from './job-changes.js';
import { JobCreationRepository } from './job-creation.repository.js';
import { AuthModule } from '../auth/auth.module.js';
import { JobCreation } from './job-creation.service.js';
import { JobDispatch } from './job-dispatch.js';
import { JobEventsController } from './job-events.controller.js';
import { JobPlanner } from './job-planner.js';
import { JobStream } from './job-stream.js';
import { JobWait } from './job-wait.js';
import { JobsController } from './jobs.controller.js';
import { JobsService } from './jobs.service.js';
import { OperationsController } from './operations.controller.js';
import { PixelRateLimit } from './pixel-rate-limit.js';
import { QueueGauge } from './queue-gauge.js';
import { QueuePositions } from './queue-positions.js';
import { QueuePositionsRepository } from './queue-positions.repository.js';
import { ResultFilesController } from './result-files.controller.js';

/** Jobs as the API serves them. */
@Module({
  imports: [
    AuthModule,
    JobCoreModule,
    QuotasModule,
    UploadsModule,
    IdempotencyModule,
    QueueModule,
    OfferedModule,
  ],
  controllers: [JobsController, JobEventsController, OperationsController, ResultFilesController],
  providers: [
    JobCreationRepository,
    QueueGauge,
    PixelRateLimit,
    JobDispatch,
    JobPlanner,
    JobCreation,
    JobChanges,
    JobWait,
    QueuePositionsRepository,
    QueuePositions,
    JobStream,
    JobsService,
  ],
  exports: [JobCoreModule, JobsService, OfferedModule],
})
export class JobsModule {}
