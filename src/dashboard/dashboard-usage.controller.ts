import { Controller, Get, Query } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { SignedIn } from '../common/access.decorator.js';
import { CurrentPrincipal } from '../common/principal.decorator.js';
import type { Principal } from '../kernel/principal.js';
import { QuotasService } from '../quotas/quotas.service.js';
import type { UsageDto } from '../quotas/usage.dto.js';
import { type KeyRateDto, type UsageHistoryDto, UsageHistoryQueryDto } from './usage-history.dto.js';
import { UsageHistory } from './usage-history.service.js';

@ApiExcludeController()
@Controller('dashboard/api/usage')
@SignedIn()
export class DashboardUsageController {
  constructor(
    private readonly quotas: QuotasService,
    private readonly usageHistory: UsageHistory,
  ) {}

  @Get()
  usage(@CurrentPrincipal() principal: Principal): Promise<UsageDto> {
    return this.quotas.usage(principal);
  }

  @Get('history')
  history(
    @CurrentPrincipal() principal: Principal,
    @Query() { days }: UsageHistoryQueryDto,
  ): Promise<UsageHistoryDto> {
    return this.usageHistory.history(principal, days);
  }

  @Get('rate')
  rate(@CurrentPrincipal() principal: Principal): Promise<{ readonly data: readonly KeyRateDto[] }> {
    return this.usageHistory.rates(principal);
  }
}
