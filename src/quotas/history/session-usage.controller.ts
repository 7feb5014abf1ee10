import { Controller, Get, Query } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { SignedIn } from '../../common/access/access.decorator.js';
import { CurrentPrincipal } from '../../common/access/principal.decorator.js';
import type { Principal } from '../../kernel/principal.js';
import { QuotasService } from '../quotas.service.js';
import type { UsageDto } from '../usage.dto.js';
import { type KeyRateDto, type UsageHistoryDto, UsageHistoryQueryDto } from './usage-history.dto.js';
import { UsageHistory } from './usage-history.js';

@ApiExcludeController()
@Controller('dashboard/api/usage')
@SignedIn()
export class SessionUsageController {
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
