import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AnyScope } from '../common/access/access.decorator.js';
import { CurrentPrincipal } from '../common/access/principal.decorator.js';
import { KEY_PROBLEMS, Problems } from '../common/problems/problems.decorator.js';
import type { Principal } from '../kernel/principal.js';
import { QuotasService } from './quotas.service.js';
import { UsageDto } from './usage.dto.js';

@ApiTags('Usage')
@Controller('api/usage')
export class UsageController {
  constructor(private readonly quotas: QuotasService) {}

  @Get()
  @AnyScope()
  @ApiOperation({
    summary: 'Plan, limits and what is used of them',
    operationId: 'getUsage',
    description: 'The figures of the current month (UTC) for the account of the key.',
  })
  @ApiOkResponse({ type: UsageDto })
  // Any scope grants access.
  @Problems(...KEY_PROBLEMS.filter((code) => code !== 'insufficient_scope'))
  get(@CurrentPrincipal() principal: Principal): Promise<UsageDto> {
    return this.quotas.usage(principal);
  }
}
