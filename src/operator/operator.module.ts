import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AccountAccess } from '../accounts/account-access.js';
import { AccountSuspension } from '../accounts/account-suspension.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { AuthModule } from '../auth/auth.module.js';
import { Database } from '../infra/database/database.js';
import { PasswordHasher } from '../infra/passwords/password-hasher.js';
import { ServingModule } from '../models/serving/serving.module.js';
import { QueueWorkRepository } from '../jobs/queue/queue-work.repository.js';
import { BacklogRepository } from '../webhooks/dispatch/backlog.repository.js';
import { AccountActions } from './accounts/account-actions.js';
import { AccountActionsController } from './accounts/account-actions.controller.js';
import { AccountSearchRepository } from './accounts/account-search.repository.js';
import { ConsoleAccountsController } from './accounts/console-accounts.controller.js';
import { ConsoleAccounts } from './accounts/console-accounts.js';
import { ConsoleAccountsRepository } from './accounts/console-accounts.repository.js';
import { BatchesModule } from '../jobs/batches/batches.module.js';
import { JobsModule } from '../jobs/jobs.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { UploadsModule } from '../uploads/uploads.module.js';
import { VersionComparisonsRepository } from '../models/serving/comparisons/version-comparisons.repository.js';
import { VersionComparisonControl } from './comparisons/version-comparison-control.js';
import { VersionComparisonsController } from './comparisons/version-comparisons.controller.js';
import { FailingEndpointsController } from './endpoints/failing-endpoints.controller.js';
import { FailingEndpoints } from './endpoints/failing-endpoints.js';
import { FailingEndpointsRepository } from './endpoints/failing-endpoints.repository.js';
import { FailedJobsController } from './failed-jobs/failed-jobs.controller.js';
import { FailedJobs } from './failed-jobs/failed-jobs.js';
import { FailedJobsRepository } from './failed-jobs/failed-jobs.repository.js';
import { JobReruns } from './failed-jobs/job-reruns.js';
import { ImpersonationController } from './impersonation/impersonation.controller.js';
import { Impersonations } from './impersonation/impersonations.js';
import { OperatorAuditController } from './audit/operator-audit.controller.js';
import { SamplesRepository } from './load/samples.repository.js';
import { CanariesController } from './models/canaries.controller.js';
import { CanaryControl } from './models/canary-control.js';
import { CanaryFiguresRepository } from './models/canary-figures.repository.js';
import { ChoiceChanges } from './models/choice-changes.js';
import { ConsoleModelsController } from './models/console-models.controller.js';
import { ModelConsole } from './models/model-console.js';
import { ServingControl } from './models/serving-control.js';
import { ShadowControl } from './models/shadow-control.js';
import { ShadowFigures } from './models/shadow-figures.js';
import { ShadowsController } from './models/shadows.controller.js';
import { OverviewController } from './overview/overview.controller.js';
import { OverviewRepository } from './overview/overview.repository.js';
import { Overview } from './overview/overview.js';
import { PlanDecisionsController } from './plan-requests/plan-decisions.controller.js';
import { PlanDecisions } from './plan-requests/plan-decisions.js';
import { SettingsController } from './settings/settings.controller.js';
import { WorkerConsole } from './workers/worker-console.js';
import { WorkersController } from './workers/workers.controller.js';

/** Accounts of all customers, and the actions of operators on them. */
const ACCOUNTS = [
  {
    provide: AccountsService,
    inject: [DataSource],
    useFactory: (dataSource: DataSource) => new AccountsService(dataSource),
  },
  {
    provide: AccountSuspension,
    inject: [Database],
    useFactory: (database: Database) => new AccountSuspension(database),
  },
  {
    provide: AccountAccess,
    inject: [Database, PasswordHasher],
    useFactory: (database: Database, hasher: PasswordHasher) => new AccountAccess(database, hasher),
  },
  {
    provide: PlanDecisions,
    inject: [Database],
    useFactory: (database: Database) => new PlanDecisions(database),
  },
  AccountSearchRepository,
  ConsoleAccountsRepository,
  ConsoleAccounts,
  AccountActions,
  Impersonations,
];

/** The operator console: the load of the service, and its customers. */
@Module({
  imports: [
    ServingModule,
    AuthModule,
    AccountsModule,
    UploadsModule,
    JobsModule,
    BatchesModule,
    WebhooksModule,
  ],
  controllers: [
    OverviewController,
    ConsoleAccountsController,
    AccountActionsController,
    PlanDecisionsController,
    ImpersonationController,
    FailedJobsController,
    FailingEndpointsController,
    OperatorAuditController,
    SettingsController,
    WorkersController,
    ConsoleModelsController,
    CanariesController,
    ShadowsController,
    VersionComparisonsController,
  ],
  providers: [
    QueueWorkRepository,
    BacklogRepository,
    SamplesRepository,
    OverviewRepository,
    Overview,
    ...ACCOUNTS,
    FailedJobsRepository,
    FailedJobs,
    JobReruns,
    FailingEndpointsRepository,
    FailingEndpoints,
    WorkerConsole,
    ModelConsole,
    ChoiceChanges,
    ServingControl,
    CanaryControl,
    CanaryFiguresRepository,
    ShadowControl,
    ShadowFigures,
    VersionComparisonsRepository,
    VersionComparisonControl,
  ],
})
export class OperatorModule {}
