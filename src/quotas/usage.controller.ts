import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AnyScope } from '../common/access/access.decorator.js';
import { CurrentPrincipal } from '../common/access/principal.decorator.js';
import { KEY_PROBLEMS, Problems } from '../common/problems/problems.decorator.js';
import type { FastifyReply, FastifyRequest } from '../common/requests/request-context.js';
import type { Principal } from '../kernel/principal.js';
import { UsageExport } from './export/usage-export.js';
import { UsageExportQueryDto } from './export/usage-export-query.dto.js';
import { QuotasService } from './quotas.service.js';
import { UsageDto } from './usage.dto.js';

@ApiTags('Usage')
@Controller('api/usage')
export class UsageController {
  constructor(
    private readonly quotas: QuotasService,
    private readonly usageExport: UsageExport,
  ) {}

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

  @Get('export')
  @AnyScope()
  @ApiOperation({
    summary: 'Enhancements by day, key and operation as CSV',
    operationId: 'exportUsage',
    description:
      'One line for each day (UTC), key and operation with enhancements, ordered by day. A job of several operations counts for each of them; failed and canceled jobs do not count. A key name that a spreadsheet would take for a formula has an apostrophe in front.',
  })
  @ApiOkResponse({
    description:
      'Columns: `day`, `key_id` (empty for the dashboard), `key_name`, `operation`, `enhancements`.',
    content: {
      'text/csv': {
        schema: { type: 'string' },
        example:
          'day,key_id,key_name,operation,enhancements\r\n2026-01-31,key_0193f0c0a1b27c3d8e4f5a6b7c8d9e0f,Shop,upscale,12\r\n',
      },
    },
  })
  @Problems('invalid_request', ...KEY_PROBLEMS.filter((code) => code !== 'insufficient_scope'))
  async export(
    @CurrentPrincipal() { accountId }: Principal,
    @Query() range: UsageExportQueryDto,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.usageExport.answer({ accountId, isNamed: true }, range, request, reply);
  }
}
