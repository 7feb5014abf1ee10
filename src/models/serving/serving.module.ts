import { Module } from '@nestjs/common';
import { ExitTurnsRepository } from './exit-turns.repository.js';
import { ShadowFiguresRepository } from './shadow/shadow-figures.repository.js';
import { ModelWorkersRepository } from './model-workers.repository.js';
import { VersionChoicesRepository } from './version-choices.repository.js';
import { WorkerControlRepository } from './worker-control.repository.js';

/** Which worker serves which models. Workers write it, and the API reads it. */
@Module({
  providers: [
    ExitTurnsRepository,
    ModelWorkersRepository,
    WorkerControlRepository,
    VersionChoicesRepository,
    ShadowFiguresRepository,
  ],
  exports: [
    ExitTurnsRepository,
    ModelWorkersRepository,
    WorkerControlRepository,
    VersionChoicesRepository,
    ShadowFiguresRepository,
  ],
})
export class ServingModule {}
