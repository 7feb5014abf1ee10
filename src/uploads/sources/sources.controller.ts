import { Controller, Delete, Get, HttpCode, Param, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AnyScope } from '../../common/access/access.decorator.js';
import { ListQueryDto } from '../../common/lists/list-query.dto.js';
import type { Page } from '../../common/lists/pagination.js';
import { CurrentPrincipal } from '../../common/access/principal.decorator.js';
import { KEY_PROBLEMS, Problems } from '../../common/problems/problems.decorator.js';
import type { Principal } from '../../kernel/principal.js';
import { SourceDto, SourceListDto } from '../../common/resources/source.dto.js';
import { SourcesService } from './sources.service.js';

@ApiTags('Uploads')
@Controller('api/ai/sources')
export class SourcesController {
  constructor(private readonly sources: SourcesService) {}

  @Get()
  @AnyScope('image:read', 'ai:enhance')
  @ApiOperation({
    summary: 'List sources, newest first',
    operationId: 'listSources',
    description: 'Deleted sources are left out. Follow `nextCursor` until it is null.',
  })
  @ApiOkResponse({ type: SourceListDto })
  @Problems('invalid_request', 'invalid_cursor', ...KEY_PROBLEMS)
  list(@CurrentPrincipal() principal: Principal, @Query() query: ListQueryDto): Promise<Page<SourceDto>> {
    return this.sources.list(principal.accountId, query.limit, query.cursor);
  }

  @Get(':id')
  @AnyScope('image:read', 'ai:enhance')
  @ApiOperation({
    summary: 'One source',
    operationId: 'getSource',
    description: 'Its `url` is signed again for each response.',
  })
  @ApiOkResponse({ type: SourceDto })
  @Problems('not_found', 'gone', ...KEY_PROBLEMS)
  get(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<SourceDto> {
    return this.sources.get(principal.accountId, id);
  }

  @Delete(':id')
  @HttpCode(204)
  @AnyScope('image:write', 'ai:enhance')
  @ApiOperation({
    summary: 'Delete a source: its pixels are erased at once',
    operationId: 'deleteSource',
    description: 'Requests for its id or its URL return 410 from then on.',
  })
  @ApiNoContentResponse()
  @Problems('not_found', 'gone', ...KEY_PROBLEMS)
  delete(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<void> {
    return this.sources.delete(principal.accountId, id);
  }
}
