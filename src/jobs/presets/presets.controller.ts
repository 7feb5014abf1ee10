import { Body, Controller, Delete, Get, HttpCode, Param, Put, Res } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { AnyScope } from '../../common/access/access.decorator.js';
import { CurrentPrincipal } from '../../common/access/principal.decorator.js';
import { KEY_PROBLEMS, Problems } from '../../common/problems/problems.decorator.js';
import type { FastifyReply } from '../../common/requests/request-context.js';
import type { Principal } from '../../kernel/principal.js';
import { PresetDto, PresetListDto } from './preset.dto.js';
import { PresetsService } from './presets.service.js';
import { SavePresetDto } from './save-preset.dto.js';

@ApiTags('Presets')
@Controller('api/ai/presets')
export class PresetsController {
  constructor(private readonly presets: PresetsService) {}

  @Get()
  @AnyScope('image:read', 'ai:enhance')
  @ApiOperation({
    summary: 'List presets: the built-in ones, then those of the account',
    operationId: 'listPresets',
    description: 'All of them: an account has at most 50 of its own.',
  })
  @ApiOkResponse({ type: PresetListDto })
  @Problems(...KEY_PROBLEMS)
  async list(@CurrentPrincipal() { accountId }: Principal): Promise<PresetListDto> {
    return { presets: await this.presets.list(accountId) };
  }

  @Get(':name')
  @AnyScope('image:read', 'ai:enhance')
  @ApiOperation({
    summary: 'One preset',
    operationId: 'getPreset',
    description: 'Built in, or of the account.',
  })
  @ApiOkResponse({ type: PresetDto })
  @Problems('preset_not_found', ...KEY_PROBLEMS)
  get(@CurrentPrincipal() { accountId }: Principal, @Param('name') name: string): Promise<PresetDto> {
    return this.presets.get(accountId, name);
  }

  @Put(':name')
  @AnyScope('image:write', 'ai:enhance')
  @ApiOperation({
    summary: 'Create or replace a preset',
    operationId: 'savePreset',
    description:
      'Jobs and batches name it as `preset`. Those that were created before keep the operations that they were created with. A name has 1 to 63 lowercase letters, digits and hyphens, and begins with a letter or digit.',
  })
  @ApiOkResponse({ type: PresetDto, description: 'It was replaced.' })
  @ApiCreatedResponse({ type: PresetDto, description: 'It is new.' })
  @Problems(
    'malformed_json',
    'invalid_request',
    'preset_read_only',
    'preset_limit_reached',
    'payload_too_large',
    'unsupported_media_type',
    ...KEY_PROBLEMS,
  )
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

  @Delete(':name')
  @HttpCode(204)
  @AnyScope('image:write', 'ai:enhance')
  @ApiOperation({
    summary: 'Delete a preset of the account',
    operationId: 'deletePreset',
    description: 'Jobs that were created with it stay as they are.',
  })
  @ApiNoContentResponse()
  @Problems('preset_not_found', 'preset_read_only', ...KEY_PROBLEMS)
  delete(@CurrentPrincipal() { accountId }: Principal, @Param('name') name: string): Promise<void> {
    return this.presets.delete(accountId, name);
  }
}
