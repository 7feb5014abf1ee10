import { Controller, Delete, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse } from '@nestjs/swagger';
import { RequiresPermission } from '../../common/access/access.decorator.js';
import { ListQueryDto } from '../../common/lists/list-query.dto.js';
import type { Page } from '../../common/lists/pagination.js';
import { CurrentPrincipal } from '../../common/access/principal.decorator.js';
import type { FastifyReply, FastifyRequest } from '../../common/requests/request-context.js';
import { bodyOf } from '../../idempotency/body-of.js';
import { IdempotencyKey } from '../../idempotency/idempotency-key.decorator.js';
import type { Principal } from '../../kernel/principal.js';
import { SourceDto } from '../../common/resources/source.dto.js';
import { SessionSourceDto, SessionSourceListDto } from './session-source.dto.js';
import { SourcesService } from './sources.service.js';
import { UploadsService } from '../uploads.service.js';
import { SourceThumbnails } from '../thumbnails/source-thumbnails.js';
import { answerThumbnail } from '../thumbnails/thumbnail-answer.js';

@Controller('dashboard/api/ai')
export class SessionSourcesController {
  constructor(
    private readonly uploads: UploadsService,
    private readonly sources: SourcesService,
    private readonly thumbnails: SourceThumbnails,
  ) {}

  @RequiresPermission('images:write')
  @Post('upload')
  @HttpCode(201)
  @ApiCreatedResponse({ type: SourceDto })
  async upload(
    @CurrentPrincipal() principal: Principal,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SourceDto> {
    return bodyOf(await this.uploads.upload(principal, request.raw, idempotencyKey), reply);
  }

  @RequiresPermission('images:read')
  @Get('sources')
  @ApiOkResponse({ type: SessionSourceListDto })
  list(
    @CurrentPrincipal() principal: Principal,
    @Query() query: ListQueryDto,
  ): Promise<Page<SessionSourceDto>> {
    return this.sources.listForOwner(principal.accountId, query.limit, query.cursor);
  }

  @RequiresPermission('images:read')
  @Get('sources/:id')
  @ApiOkResponse({ type: SessionSourceDto })
  get(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<SessionSourceDto> {
    return this.sources.getForOwner(principal.accountId, id);
  }

  @RequiresPermission('images:read')
  @Get('sources/:id/thumbnail')
  @ApiOkResponse({ content: { 'image/webp': { schema: { type: 'string', format: 'binary' } } } })
  async thumbnail(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await answerThumbnail(request, reply, await this.thumbnails.find(principal.accountId, id));
  }

  @RequiresPermission('images:write')
  @Delete('sources/:id')
  @HttpCode(204)
  @ApiNoContentResponse()
  delete(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<void> {
    return this.sources.delete(principal.accountId, id);
  }
}
