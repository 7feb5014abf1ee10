import { Body, Controller, Delete, Get, HttpCode, Param, Put, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse } from '@nestjs/swagger';
import { RequiresPermission } from '../../common/access/access.decorator.js';
import { CurrentPrincipal } from '../../common/access/principal.decorator.js';
import type { FastifyReply } from '../../common/requests/request-context.js';
import type { Principal } from '../../kernel/principal.js';
import { PresetDto, PresetListDto } from './preset.dto.js';
import { PresetsService } from './presets.service.js';
import { SavePresetDto } from './save-preset.dto.js';

/** Presets in the dashboard. */
@Controller('dashboard/api/ai/presets')
export class SessionPresetsController {
  constructor(private readonly presets: PresetsService) {}

  @RequiresPermission('images:read')
  @Get()
  @ApiOkResponse({ type: PresetListDto })
  async list(@CurrentPrincipal() { accountId }: Principal): Promise<PresetListDto> {
    return { presets: await this.presets.list(accountId) };
  }

  @RequiresPermission('images:write')
  @Put(':name')
  @ApiOkResponse({ type: PresetDto })
  @ApiCreatedResponse({ type: PresetDto })
  async save(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('name') name: string,
    @Body() dto: SavePresetDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PresetDto> {
    const { preset, isNew } = await this.presets.save(accountId, name, dto);
    reply.status(isNew ? 201 : 200);
    return preset;
  }

  @RequiresPermission('images:write')
  @Delete(':name')
  @HttpCode(204)
  @ApiNoContentResponse()
  delete(@CurrentPrincipal() { accountId }: Principal, @Param('name') name: string): Promise<void> {
    return this.presets.delete(accountId, name);
  }
}
