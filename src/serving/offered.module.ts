import { Module } from '@nestjs/common';
import { OfferedOperations } from './offered-operations.js';
import { ServingModule } from './serving.module.js';

/** What the api may promise. */
@Module({ imports: [ServingModule], providers: [OfferedOperations], exports: [OfferedOperations] })
export class OfferedModule {}
