import { Module } from '@nestjs/common';
import { ModelWorkersRepository } from './model-workers.repository.js';

/** Which worker serves which models: written by workers, read by the api. */
@Module({ providers: [ModelWorkersRepository], exports: [ModelWorkersRepository] })
export class ServingModule {}
