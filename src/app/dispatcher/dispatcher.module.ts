import { type DynamicModule, Module } from '@nestjs/common';
import { ObjectErasures } from '../../accounts/object-erasures.js';
import { QueueModule } from '../../infra/queue/queue.module.js';
import { JobCoreModule } from '../../jobs/job-core.module.js';
import { Sweeper } from '../../jobs/sweeper.js';
import { UnservedJobs } from '../../jobs/unserved-jobs.js';
import { UnservedJobsRepository } from '../../jobs/unserved-jobs.repository.js';
import { WebhookDeliveryModule } from '../../webhooks/delivery/webhook-delivery.module.js';
import { CoreModule } from '../role/core.module.js';
import type { RoleSettings } from '../role/role-settings.js';
import { HouseKeeper } from './house-keeper.js';
import { Installation } from './installation.js';
import { KnownObjects } from './known-objects.js';
import { OrphanSweep } from './orphan-sweep.js';
import { Retention } from './retention/retention.js';
import { SweepLoop } from './sweep-loop.js';

/** The dispatcher role: what must happen without anybody asking for it. */
@Module({})
export class DispatcherModule {
  static for(settings: RoleSettings): DynamicModule {
    return {
      module: DispatcherModule,
      imports: [CoreModule.for(settings), JobCoreModule, QueueModule, WebhookDeliveryModule],
      providers: [
        UnservedJobsRepository,
        UnservedJobs,
        Sweeper,
        ObjectErasures,
        HouseKeeper,
        KnownObjects,
        Installation,
        OrphanSweep,
        Retention,
        SweepLoop,
      ],
    };
  }
}
