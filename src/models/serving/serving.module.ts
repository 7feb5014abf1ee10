import { Module } from '@nestjs/common';
import { ShadowFiguresRepository } from './shadow/shadow-figures.repository.js';
import { ModelWorkersRepository } from './model-workers.repository.js';
import { VersionChoicesRepository } from './version-choices.repository.js';
import { WorkerControlRepository } from './worker-control.repository.js';

/** Which worker serves which models: written by workers, read by the api. */
@Module({
  providers: [
    ModelWorkersRepository,
    WorkerControlRepository,
    VersionChoicesRepository,
    ShadowFiguresRepository,
  ],
  exports: [
    ModelWorkersRepository,
    WorkerControlRepository,
    VersionChoicesRepository,
    ShadowFiguresRepository,
  ],
})
export class ServingModule {}
