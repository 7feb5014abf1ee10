import { Module } from '@nestjs/common';
import { ServingModule } from '../models/serving/serving.module.js';
import { QueueWorkRepository } from '../jobs/queue/queue-work.repository.js';
import { BacklogRepository } from '../webhooks/dispatch/backlog.repository.js';
import { SamplesRepository } from './load/samples.repository.js';
import { OverviewController } from './overview/overview.controller.js';
import { OverviewRepository } from './overview/overview.repository.js';
import { Overview } from './overview/overview.js';

/** The operator console, which shows the load of the service. */
@Module({
  imports: [ServingModule],
  controllers: [OverviewController],
  providers: [QueueWorkRepository, BacklogRepository, SamplesRepository, OverviewRepository, Overview],
})
export class OperatorModule {}
