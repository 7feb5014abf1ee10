import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { AuditModule } from '../../audit/audit.module.js';
import { AccountsModule } from '../../accounts/accounts.module.js';
import { SessionGuard } from '../../auth/sessions/session.guard.js';
import { ApiKeyGuard } from '../../auth/keys/api-key.guard.js';
import { AuthModule } from '../../auth/auth.module.js';
import { RateLimitGuard } from '../../quotas/rate-limit/rate-limit.guard.js';
import { ProblemFilter } from '../../common/problems/problem.filter.js';
import { RateLimitHeadersInterceptor } from '../../quotas/rate-limit/rate-limit-headers.interceptor.js';
import { ScopeGuard } from '../../common/access/scope.guard.js';
import { HandlerStartedInterceptor } from '../../common/requests/handler-started.interceptor.js';
import { RequestValidationPipe } from '../../common/validation/validation.pipe.js';
import { Database } from '../../infra/database/database.js';
import { ObjectStore } from '../../infra/storage/object-store.js';
import { DiskMetrics } from '../../infra/telemetry/disk-metrics.js';
import { HttpMetrics } from '../../infra/telemetry/http-metrics.js';
import { Metrics } from '../../infra/telemetry/metrics.js';
import { RetentionMetrics } from '../../infra/telemetry/retention-metrics.js';
import { ModelMetrics } from '../../infra/telemetry/model-metrics.js';
import { QueueMetrics } from '../../infra/telemetry/queue-metrics.js';
import { BatchesModule } from '../../jobs/batches/batches.module.js';
import { PresetsModule } from '../../jobs/presets/presets.module.js';
import { ShareLinksModule } from '../../jobs/shares/share-links.module.js';
import { JobsModule } from '../../jobs/jobs.module.js';
import { QueueWorkRepository } from '../../jobs/queue/queue-work.repository.js';
import { UsageModule } from '../../quotas/usage.module.js';
import { UploadsModule } from '../../uploads/uploads.module.js';
import { WebhooksModule } from '../../webhooks/webhooks.module.js';
import { CompatModule } from '../../compat/compat.module.js';
import { CoreModule } from '../role/core.module.js';
import type { RoleSettings } from '../../roles/role-settings.js';
import { OperatorModule } from '../../operator/operator.module.js';
import { DocsController } from '../site/docs.controller.js';
import { DocsSite } from '../site/docs-site.js';
import { HealthController } from './health.controller.js';
import { MetricsController } from './metrics.controller.js';
import { ModelHealthController } from '../../models/http/model-health.controller.js';
import { ModelsModule } from '../../models/http/models.module.js';
import { Shutdown } from './shutdown.js';
import { UnknownRouteController } from './unknown-route.controller.js';
import { WebFiles } from './web-files.js';
import { WebPagesController } from './web-pages.controller.js';
import { isAccountGone, isRepeatable } from '../../infra/database/database-errors.js';

/** The API role. Guards run in this order: authentication, rate limit, scopes. */
@Module({})
export class ApiModule {
  static for(settings: RoleSettings): DynamicModule {
    return {
      module: ApiModule,
      imports: [
        CoreModule.for(settings),
        AuthModule,
        AccountsModule,
        UsageModule,
        UploadsModule,
        JobsModule,
        BatchesModule,
        PresetsModule,
        ShareLinksModule,
        WebhooksModule,
        ModelsModule,
        CompatModule.for(settings.config.compat),
        AuditModule,
        OperatorModule,
      ],
      controllers: [
        HealthController,
        ModelHealthController,
        DocsController,
        MetricsController,
        WebPagesController,
        UnknownRouteController,
      ],
      providers: [
        WebFiles,
        DocsSite,
        Shutdown,
        {
          provide: HttpMetrics,
          inject: [Metrics],
          useFactory: (metrics: Metrics) => new HttpMetrics(metrics),
        },
        {
          provide: QueueMetrics,
          inject: [Metrics, QueueWorkRepository],
          useFactory: (metrics: Metrics, work: QueueWorkRepository) =>
            new QueueMetrics(metrics, () => work.waiting()),
        },
        {
          provide: ModelMetrics,
          inject: [Metrics],
          useFactory: (metrics: Metrics) => new ModelMetrics(metrics),
        },
        {
          provide: DiskMetrics,
          inject: [Metrics, ObjectStore],
          useFactory: (metrics: Metrics, store: ObjectStore) =>
            new DiskMetrics(metrics, [{ disk: 'objects', freeBytes: () => store.freeBytes() }]),
        },
        {
          provide: RetentionMetrics,
          inject: [Metrics, Database],
          useFactory: (metrics: Metrics, database: Database) => new RetentionMetrics(metrics, database),
        },
        QueueWorkRepository,
        { provide: APP_GUARD, useExisting: ApiKeyGuard },
        { provide: APP_GUARD, useExisting: SessionGuard },
        { provide: APP_GUARD, useExisting: RateLimitGuard },
        { provide: APP_GUARD, useClass: ScopeGuard },
        { provide: APP_INTERCEPTOR, useClass: RateLimitHeadersInterceptor },
        { provide: APP_INTERCEPTOR, useClass: HandlerStartedInterceptor },
        { provide: APP_PIPE, useClass: RequestValidationPipe },
        {
          provide: APP_FILTER,
          useFactory: () => new ProblemFilter(settings.config.publicUrl, isRepeatable, isAccountGone),
        },
      ],
    };
  }
}
