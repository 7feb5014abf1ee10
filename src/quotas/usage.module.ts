import { Module } from '@nestjs/common';
import { QuotasModule } from './quotas.module.js';
import { UsageController } from './usage.controller.js';

/** The HTTP face of the quotas; only the api role has it. */
@Module({ imports: [QuotasModule], controllers: [UsageController] })
export class UsageModule {}
