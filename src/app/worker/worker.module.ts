import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Enhancer } from '../../inference/enhancer.js';
import { QueueModule } from '../../infra/queue/queue.module.js';
import { Scratch } from '../../infra/storage/scratch.js';
import { JobCoreModule } from '../../jobs/job-core.module.js';
import { SourceEntity } from '../../uploads/source.entity.js';
import { SourcesRepository } from '../../uploads/sources.repository.js';
import { EnhanceConsumer } from '../../worker/enhance-consumer.js';
import { JobRunner } from '../../worker/job-runner.js';
import { LeaseKeeper } from '../../worker/lease-keeper.js';
import { Tools } from '../../worker/tools.js';
import { CoreModule } from '../role/core.module.js';
import type { RoleSettings } from '../role/role-settings.js';

/** The worker role: job ids in, result pixels out, on one accelerator. */
@Module({})
export class WorkerModule {
  static for(settings: RoleSettings, enhancer: Enhancer): DynamicModule {
    return {
      module: WorkerModule,
      imports: [
        CoreModule.for(settings),
        JobCoreModule,
        QueueModule,
        TypeOrmModule.forFeature([SourceEntity]),
      ],
      providers: [
        { provide: Enhancer, useValue: enhancer },
        SourcesRepository,
        Tools,
        LeaseKeeper,
        { provide: Scratch, useFactory: () => Scratch.open(settings.scratchDir) },
        JobRunner,
        EnhanceConsumer,
      ],
    };
  }
}
