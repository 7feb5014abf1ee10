import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { RequiresPermission } from '../../common/access/access.decorator.js';
import type { Session } from '../../auth/sessions/session.js';
import { CurrentSession } from '../../auth/sessions/session.decorator.js';
import { CurrentPrincipal } from '../../common/access/principal.decorator.js';
import type { FastifyReply, FastifyRequest } from '../../common/requests/request-context.js';
import type { Principal } from '../../kernel/principal.js';
import { UsageExport } from '../export/usage-export.js';
import { UsageExportQueryDto } from '../export/usage-export-query.dto.js';
import { QuotasService } from '../quotas.service.js';
import { UsageDto } from '../usage.dto.js';
import { KeyRateListDto, UsageHistoryDto, UsageHistoryQueryDto } from './usage-history.dto.js';
import { UsageHistory } from './usage-history.js';

@Controller('dashboard/api/usage')
export class SessionUsageController {
  constructor(
    private readonly quotas: QuotasService,
    private readonly usageHistory: UsageHistory,
    private readonly usageExport: UsageExport,
  ) {}

  @RequiresPermission('usage:read')
  @Get()
  @ApiOkResponse({ type: UsageDto })
  usage(@CurrentPrincipal() principal: Principal): Promise<UsageDto> {
    return this.quotas.usage(principal);
  }

  @RequiresPermission('usage:read')
  @Get('history')
  @ApiOkResponse({ type: UsageHistoryDto })
  history(
    @CurrentPrincipal() principal: Principal,
    @CurrentSession() session: Session,
    @Query() { days }: UsageHistoryQueryDto,
  ): Promise<UsageHistoryDto> {
    return this.usageHistory.history(principal, days, seesKeyNames(session));
  }

  @RequiresPermission('usage:read')
  @Get('export')
  @ApiOkResponse({ content: { 'text/csv': { schema: { type: 'string' } } } })
  async export(
    @CurrentPrincipal() { accountId }: Principal,
    @CurrentSession() session: Session,
    @Query() range: UsageExportQueryDto,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const isNamed = seesKeyNames(session);
    await this.usageExport.answer({ accountId, isNamed }, range, request, reply);
  }

  @RequiresPermission('usage:read')
  @Get('rate')
  @ApiOkResponse({ type: KeyRateListDto })
  rate(
    @CurrentPrincipal() principal: Principal,
    @CurrentSession() session: Session,
  ): Promise<KeyRateListDto> {
    return this.usageHistory.rates(principal, seesKeyNames(session));
  }
}

/** Only users who may list keys see their names. */
const seesKeyNames = ({ permissions }: Session): boolean => permissions.includes('keys:read');
