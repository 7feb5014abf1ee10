import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { RequiresPermission } from '../../../common/access/access.decorator.js';
import { CurrentPrincipal } from '../../../common/access/principal.decorator.js';
import type { FastifyReply, FastifyRequest } from '../../../common/requests/request-context.js';
import type { Principal } from '../../../kernel/principal.js';
import { BatchArchive } from './batch-archive.js';

/** The archive of a batch, in the dashboard. */
@Controller('dashboard/api/ai/batches')
export class SessionBatchResultsController {
  constructor(private readonly archive: BatchArchive) {}

  @RequiresPermission('images:read')
  @Get(':id/results.zip')
  @ApiOkResponse({ content: { 'application/zip': { schema: { type: 'string', format: 'binary' } } } })
  async download(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.archive.answer(accountId, id, request, reply);
  }
}
