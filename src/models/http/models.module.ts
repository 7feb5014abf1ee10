import { Module } from '@nestjs/common';
import { AvailableOperationsModule } from '../serving/available-operations.module.js';
import { ServingModule } from '../serving/serving.module.js';
import { ModelCards } from './model-cards.js';
import { ModelsController } from './models.controller.js';
import { RecentBatches } from './recent-batches.js';
import { RecentJobsRepository } from './recent-jobs.repository.js';

/** Models in the dashboard. */
@Module({
  imports: [AvailableOperationsModule, ServingModule],
  controllers: [ModelsController],
  providers: [ModelCards, RecentBatches, RecentJobsRepository],
})
export class ModelsModule {}
