import { Module } from '@nestjs/common';
import { ModelWorkersRepository } from './model-workers.repository.js';
import { WorkerControlRepository } from './worker-control.repository.js';

/** Which worker serves which models: written by workers, read by the api. */
@Module({
  providers: [ModelWorkersRepository, WorkerControlRepository],
  exports: [ModelWorkersRepository, WorkerControlRepository],
})
export class ServingModule {}
