import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { QuotasModule } from '../quotas/quotas.module.js';
import { UploadsModule } from '../uploads/uploads.module.js';
import { ServingModule } from '../serving/serving.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { AccountChanges } from './account-changes.js';
import { AccountEventsController } from './account-events.controller.js';
import { AuditController } from './audit.controller.js';
import { DashboardDeliveriesController } from './dashboard-deliveries.controller.js';
import { DashboardJobsController } from './dashboard-jobs.controller.js';
import { DashboardJobs } from './dashboard-jobs.service.js';
import { DashboardSourcesController } from './dashboard-sources.controller.js';
import { DashboardUsageController } from './dashboard-usage.controller.js';
import { DashboardWebhooksController } from './dashboard-webhooks.controller.js';
import { DeliveryRequestsRepository } from './delivery-requests.repository.js';
import { JobKeysRepository } from './job-keys.repository.js';
import { KeysController } from './keys.controller.js';
import { KeysService } from './keys.service.js';
import { ModelCards } from './model-cards.js';
import { ModelsController } from './models.controller.js';
import { RecentBatches } from './recent-batches.js';
import { RecentJobsRepository } from './recent-jobs.repository.js';
import { SourceThumbnails } from './source-thumbnails.js';
import { ThumbnailFilesController } from './thumbnail-files.controller.js';
import { UsageHistoryRepository } from './usage-history.repository.js';
import { UsageHistory } from './usage-history.service.js';

/** The session-authenticated part of the API: the services of the public part behind another door. */
@Module({
  imports: [
    AccountsModule,
    AuthModule,
    QuotasModule,
    ServingModule,
    UploadsModule,
    JobsModule,
    WebhooksModule,
  ],
  controllers: [
    AuditController,
    DashboardSourcesController,
    DashboardJobsController,
    AccountEventsController,
    KeysController,
    DashboardUsageController,
    DashboardWebhooksController,
    DashboardDeliveriesController,
    ModelsController,
    ThumbnailFilesController,
  ],
  providers: [
    JobKeysRepository,
    DashboardJobs,
    SourceThumbnails,
    AccountChanges,
    KeysService,
    UsageHistoryRepository,
    UsageHistory,
    RecentJobsRepository,
    RecentBatches,
    DeliveryRequestsRepository,
    ModelCards,
  ],
})
export class DashboardModule {}
