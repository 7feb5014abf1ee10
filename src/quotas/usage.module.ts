import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { UsageExport } from './export/usage-export.js';
import { UsageExportRepository } from './export/usage-export.repository.js';
import { SessionUsageController } from './history/session-usage.controller.js';
import { UsageHistoryRepository } from './history/usage-history.repository.js';
import { UsageHistory } from './history/usage-history.js';
import { QuotasModule } from './quotas.module.js';
import { UsageController } from './usage.controller.js';

/** Quotas and usage over HTTP, only in the api role. */
@Module({
  imports: [AuthModule, QuotasModule],
  controllers: [UsageController, SessionUsageController],
  providers: [UsageHistoryRepository, UsageHistory, UsageExportRepository, UsageExport],
})
export class UsageModule {}
