import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { RequiresPermission } from '../../../common/access/access.decorator.js';
import { CurrentPrincipal } from '../../../common/access/principal.decorator.js';
import type { FastifyReply, FastifyRequest } from '../../../common/requests/request-context.js';
import type { Principal } from '../../../kernel/principal.js';
import { SelectedResultsQueryDto } from './selected-results-query.dto.js';
import { SelectionArchive } from './selection-archive.js';

/** An archive of chosen results, in the dashboard. */
@Controller('dashboard/api/ai/results.zip')
export class SessionSelectedResultsController {
  constructor(private readonly archive: SelectionArchive) {}

  @RequiresPermission('images:read')
  @Get()
  @ApiOkResponse({ content: { 'application/zip': { schema: { type: 'string', format: 'binary' } } } })
  async download(
    @CurrentPrincipal() { accountId }: Principal,
    @Query() { ids }: SelectedResultsQueryDto,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.archive.answer(accountId, [...new Set(ids.split(','))], request, reply);
  }
}
