import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse } from '@nestjs/swagger';
import { RequiresPermission } from '../../common/access/access.decorator.js';
import { CurrentPrincipal } from '../../common/access/principal.decorator.js';
import type { Principal } from '../../kernel/principal.js';
import {
  CreateKeyDto,
  IssuedKeyDto,
  KeyDto,
  KeyListDto,
  RotatedKeyDto,
  RotateKeyDto,
  UpdateKeyDto,
} from './key.dto.js';
import { ListKeysQueryDto } from './list-keys-query.dto.js';
import type { Session } from '../sessions/session.js';
import { CurrentSession } from '../sessions/session.decorator.js';
import { KeysService } from './keys.service.js';

@Controller('dashboard/api/keys')
export class KeysController {
  constructor(private readonly keys: KeysService) {}

  @RequiresPermission('keys:read')
  @Get()
  @ApiOkResponse({ type: KeyListDto })
  list(@CurrentPrincipal() principal: Principal, @Query() query: ListKeysQueryDto): Promise<KeyListDto> {
    return this.keys.list(principal, query);
  }

  @RequiresPermission('keys:write')
  @Post()
  @HttpCode(201)
  @ApiCreatedResponse({ type: IssuedKeyDto })
  create(@CurrentSession() session: Session, @Body() dto: CreateKeyDto): Promise<IssuedKeyDto> {
    return this.keys.create(session, dto);
  }

  @RequiresPermission('keys:write')
  @Patch(':id')
  @ApiOkResponse({ type: KeyDto })
  update(
    @CurrentSession() session: Session,
    @Param('id') id: string,
    @Body() dto: UpdateKeyDto,
  ): Promise<KeyDto> {
    return this.keys.update(session, id, dto);
  }

  @RequiresPermission('keys:write')
  @Post(':id/rotate')
  @HttpCode(201)
  @ApiCreatedResponse({ type: RotatedKeyDto })
  rotate(
    @CurrentSession() session: Session,
    @Param('id') id: string,
    @Body() dto: RotateKeyDto,
  ): Promise<RotatedKeyDto> {
    return this.keys.rotate(session, id, dto);
  }

  @RequiresPermission('keys:write')
  @Delete(':id')
  @HttpCode(204)
  @ApiNoContentResponse()
  revoke(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<void> {
    return this.keys.revoke(principal, id);
  }
}
