import { Module } from '@nestjs/common';
import { AvailableOperations } from './available-operations.js';
import { ServingModule } from './serving.module.js';

/** What the api may promise. */
@Module({ imports: [ServingModule], providers: [AvailableOperations], exports: [AvailableOperations] })
export class AvailableOperationsModule {}
