import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse } from '@nestjs/swagger';
import { RequiresPermission } from '../../common/access/access.decorator.js';
import { CurrentPrincipal } from '../../common/access/principal.decorator.js';
import type { Principal } from '../../kernel/principal.js';
import {
  CreateShareLinkDto,
  ListShareLinksQueryDto,
  NewShareLinkDto,
  ShareLinkListDto,
} from './share-link.dto.js';
import { ShareLinksService } from './share-links.service.js';

/** Links to results, in the dashboard. */
@Controller('dashboard/api/ai/share-links')
export class SessionShareLinksController {
  constructor(private readonly links: ShareLinksService) {}

  @RequiresPermission('images:write')
  @Post()
  @HttpCode(201)
  @ApiCreatedResponse({ type: NewShareLinkDto })
  create(
    @CurrentPrincipal() { accountId }: Principal,
    @Body() dto: CreateShareLinkDto,
  ): Promise<NewShareLinkDto> {
    return this.links.create(accountId, dto);
  }

  @RequiresPermission('images:read')
  @Get()
  @ApiOkResponse({ type: ShareLinkListDto })
  async list(
    @CurrentPrincipal() { accountId }: Principal,
    @Query() { jobId }: ListShareLinksQueryDto,
  ): Promise<ShareLinkListDto> {
    return { data: await this.links.list(accountId, jobId) };
  }

  @RequiresPermission('images:write')
  @Delete(':id')
  @HttpCode(204)
  @ApiNoContentResponse()
  revoke(@CurrentPrincipal() { accountId }: Principal, @Param('id') id: string): Promise<void> {
    return this.links.revoke(accountId, id);
  }
}
