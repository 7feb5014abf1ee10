import { type DynamicModule, Module } from '@nestjs/common';
import { ObjectErasures } from '../../infra/storage/object-erasures.js';
import { ErasureMetrics } from '../../infra/telemetry/dispatcher/erasure-metrics.js';
import { Metrics } from '../../infra/telemetry/metrics.js';
import { SweepMetrics } from '../../infra/telemetry/sweep-metrics.js';
import { QueueModule } from '../../infra/queue/queue.module.js';
import { JobCoreModule } from '../../jobs/job-core.module.js';
import { LostMessages } from '../../jobs/queue/lost-messages.js';
import { LostJobs } from '../../jobs/queue/lost-jobs.js';
import { ExpiredResults } from '../../jobs/queue/expired-results.js';
import { OverdueJobs } from '../../jobs/queue/overdue-jobs.js';
import { OverdueJobsRepository } from '../../jobs/queue/overdue-jobs.repository.js';
import { UnroutableJobs } from '../../jobs/queue/unroutable-jobs.js';
import { UnroutableJobsRepository } from '../../jobs/queue/unroutable-jobs.repository.js';
import { MailDeliveryModule } from '../../mail/delivery/mail-delivery.module.js';
import { WebhookDeliveryModule } from '../../webhooks/dispatch/webhook-delivery.module.js';
import { UsageReports } from '../../quotas/reports/usage-reports.js';
import { LoadSampler } from '../../operator/load/load-sampler.js';
import { SamplesRepository } from '../../operator/load/samples.repository.js';
import { CoreModule } from '../role/core.module.js';
import type { RoleSettings } from '../../roles/role-settings.js';
import { JobSweeps } from '../../dispatcher/job-sweeps.js';
import { RetentionCleanup } from '../../dispatcher/retention-cleanup.js';
import { StorePairing } from '../../dispatcher/store-pairing.js';
import { ReferencedObjects } from '../../dispatcher/referenced-objects.js';
import { LoadSampling } from '../../dispatcher/load-sampling.js';
import { OrphanSweep } from '../../dispatcher/orphan-sweep.js';
import { RestoreHold } from '../../dispatcher/restore-hold.js';
import { Retention } from '../../dispatcher/retention/retention.js';
import { RetentionLoop } from '../../dispatcher/retention/retention-loop.js';
import { SweepLoop } from '../../dispatcher/sweep-loop.js';
import { UsageReporting } from '../../dispatcher/usage-reporting.js';

/** The dispatcher role: background work that no request triggers. */
@Module({})
export class DispatcherModule {
  static for(settings: RoleSettings): DynamicModule {
    return {
      module: DispatcherModule,
      imports: [
        CoreModule.for(settings),
        JobCoreModule,
        QueueModule,
        WebhookDeliveryModule,
        MailDeliveryModule.for(settings.config),
      ],
      providers: [
        UnroutableJobsRepository,
        UnroutableJobs,
        OverdueJobsRepository,
        OverdueJobs,
        LostMessages,
        LostJobs,
        ExpiredResults,
        RetentionCleanup,
        JobSweeps,
        ReferencedObjects,
        StorePairing,
        RestoreHold,
        OrphanSweep,
        Retention,
        {
          provide: SweepMetrics,
          inject: [Metrics],
          useFactory: (metrics: Metrics) => new SweepMetrics(metrics),
        },
        {
          provide: ErasureMetrics,
          inject: [Metrics, ObjectErasures],
          useFactory: (metrics: Metrics, erasures: ObjectErasures) =>
            new ErasureMetrics(metrics, () => erasures.stuck()),
        },
        SweepLoop,
        RetentionLoop,
        SamplesRepository,
        LoadSampler,
        LoadSampling,
        UsageReports,
        UsageReporting,
      ],
    };
  }
}
