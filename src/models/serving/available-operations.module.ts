import { Module } from '@nestjs/common';
import { AvailableOperations } from './available-operations.js';
import { ServingModule } from './serving.module.js';

/** The operations that the API offers. */
@Module({ imports: [ServingModule], providers: [AvailableOperations], exports: [AvailableOperations] })
export class AvailableOperationsModule {}
