import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Res } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
} from '@nestjs/swagger';
import { goneSignal } from '../../common/requests/gone-signal.js';
import { RequiresPermission } from '../../common/access/access.decorator.js';
import { ListQueryDto } from '../../common/lists/list-query.dto.js';
import type { Page } from '../../common/lists/pagination.js';
import { CurrentPrincipal } from '../../common/access/principal.decorator.js';
import type { FastifyReply } from '../../common/requests/request-context.js';
import { bodyOf } from '../../idempotency/body-of.js';
import { IdempotencyKey } from '../../idempotency/idempotency-key.decorator.js';
import type { Principal } from '../../kernel/principal.js';
import { CreateEndpointDto } from './create-endpoint.dto.js';
import { DeliveryDto } from '../deliveries/delivery.dto.js';
import { EndpointControl } from './endpoint-control.js';
import { EndpointDto, EndpointListDto, EndpointWithSecretDto } from './endpoint.dto.js';
import { EndpointsService } from './endpoints.service.js';
import { RecoverDto, RecoveredDto } from './recover.dto.js';
import { RotateSecretDto } from './rotate-secret.dto.js';
import { UpdateEndpointDto } from './update-endpoint.dto.js';

/** Endpoints of the public API, with a session. */
@Controller('dashboard/api/webhooks/endpoints')
export class SessionEndpointsController {
  constructor(
    private readonly endpoints: EndpointsService,
    private readonly control: EndpointControl,
  ) {}

  @RequiresPermission('webhooks:write')
  @Post()
  @HttpCode(201)
  @ApiCreatedResponse({ type: EndpointWithSecretDto })
  async create(
    @CurrentPrincipal() { accountId }: Principal,
    @Body() dto: CreateEndpointDto,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<EndpointWithSecretDto> {
    return bodyOf(await this.endpoints.create(accountId, dto, idempotencyKey), reply);
  }

  @RequiresPermission('webhooks:read')
  @Get()
  @ApiOkResponse({ type: EndpointListDto })
  list(
    @CurrentPrincipal() { accountId }: Principal,
    @Query() { limit, cursor }: ListQueryDto,
  ): Promise<Page<EndpointDto>> {
    return this.endpoints.list(accountId, limit, cursor);
  }

  @RequiresPermission('webhooks:read')
  @Get(':id')
  @ApiOkResponse({ type: EndpointDto })
  get(@CurrentPrincipal() { accountId }: Principal, @Param('id') id: string): Promise<EndpointDto> {
    return this.endpoints.get(accountId, id);
  }

  @RequiresPermission('webhooks:write')
  @Patch(':id')
  @ApiOkResponse({ type: EndpointDto })
  update(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('id') id: string,
    @Body() dto: UpdateEndpointDto,
  ): Promise<EndpointDto> {
    return this.control.update(accountId, id, dto);
  }

  @RequiresPermission('webhooks:write')
  @Delete(':id')
  @HttpCode(204)
  @ApiNoContentResponse()
  delete(@CurrentPrincipal() { accountId }: Principal, @Param('id') id: string): Promise<void> {
    return this.endpoints.delete(accountId, id);
  }

  @RequiresPermission('webhooks:write')
  @Post(':id/ping')
  @HttpCode(202)
  @ApiAcceptedResponse({ type: DeliveryDto })
  async ping(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('id') id: string,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DeliveryDto> {
    return bodyOf(await this.control.ping(accountId, id, idempotencyKey), reply);
  }

  @RequiresPermission('webhooks:write')
  @Post(':id/rotate-secret')
  @HttpCode(200)
  @ApiOkResponse({ type: EndpointWithSecretDto })
  async rotateSecret(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('id') id: string,
    @Body() dto: RotateSecretDto,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<EndpointWithSecretDto> {
    return bodyOf(await this.endpoints.rotateSecret(accountId, id, dto, idempotencyKey), reply);
  }

  @RequiresPermission('webhooks:write')
  @Post(':id/recover')
  @HttpCode(202)
  @ApiAcceptedResponse({ type: RecoveredDto })
  recover(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('id') id: string,
    @Body() dto: RecoverDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RecoveredDto> {
    return this.control.recover(accountId, id, dto, goneSignal(reply.raw));
  }
}
