import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { AnyScope } from '../../../common/access/access.decorator.js';
import { CurrentPrincipal } from '../../../common/access/principal.decorator.js';
import { KEY_PROBLEMS, Problems } from '../../../common/problems/problems.decorator.js';
import type { FastifyReply, FastifyRequest } from '../../../common/requests/request-context.js';
import type { Principal } from '../../../kernel/principal.js';
import { BatchArchive } from './batch-archive.js';

const ZIP = { 'application/zip': { schema: { type: 'string', format: 'binary' } } };

@ApiTags('Batches')
@Controller('api/ai/batches')
export class BatchResultsController {
  constructor(private readonly archive: BatchArchive) {}

  @Get(':id/results.zip')
  @AnyScope('image:read', 'ai:enhance')
  @ApiOperation({
    summary: 'The results of a batch as a ZIP archive',
    operationId: 'downloadBatchResults',
    description:
      'Contains `manifest.json`, which lists every item, and the results that are still stored, without compression. Only when every item has ended. The archive is the same each time, so a download can be resumed with `Range` and `If-Range`; its `ETag` changes when a result or an upload is deleted, or a result expires.',
  })
  @ApiHeader({
    name: 'Range',
    required: false,
    description: 'One range of bytes, for example `bytes=1048576-`.',
    schema: { type: 'string' },
  })
  @ApiHeader({
    name: 'If-Range',
    required: false,
    description:
      'The `ETag` of the part that the client has. If the archive has changed, the whole one is sent.',
    schema: { type: 'string' },
  })
  @ApiOkResponse({ description: 'The archive', content: ZIP })
  @ApiResponse({
    status: 206,
    description: 'The requested range of the archive',
    headers: {
      'Content-Range': { schema: { type: 'string' }, description: 'For example `bytes 0-1023/81920`.' },
    },
    content: ZIP,
  })
  @ApiResponse({ status: 304, description: 'The archive that `If-None-Match` names is current.' })
  @Problems('not_found', 'batch_not_finished', 'range_not_satisfiable', ...KEY_PROBLEMS)
  async download(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.archive.answer(accountId, id, request, reply);
  }
}
