import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { SignedIn } from '../common/access.decorator.js';
import { ListQueryDto } from '../common/list-query.dto.js';
import type { Page } from '../common/pagination.js';
import { CurrentPrincipal } from '../common/principal.decorator.js';
import type { FastifyReply } from '../common/request-context.js';
import { bodyOf } from '../idempotency/body-of.js';
import { IdempotencyKey } from '../idempotency/idempotency-key.decorator.js';
import type { Principal } from '../kernel/principal.js';
import { CreateEndpointDto } from '../webhooks/create-endpoint.dto.js';
import type { DeliveryDto } from '../webhooks/delivery.dto.js';
import { EndpointControl } from '../webhooks/endpoint-control.service.js';
import type { EndpointDto, EndpointWithSecretDto } from '../webhooks/endpoint.dto.js';
import { EndpointsService } from '../webhooks/endpoints.service.js';
import { RecoverDto, type RecoveredDto } from '../webhooks/recover.dto.js';
import { RotateSecretDto } from '../webhooks/rotate-secret.dto.js';
import { UpdateEndpointDto } from '../webhooks/update-endpoint.dto.js';

/** The endpoints of the public API, for whoever is signed in. */
@ApiExcludeController()
@Controller('dashboard/api/webhooks/endpoints')
@SignedIn()
export class DashboardWebhooksController {
  constructor(
    private readonly endpoints: EndpointsService,
    private readonly control: EndpointControl,
  ) {}

  @Post()
  @HttpCode(201)
  async create(
    @CurrentPrincipal() { accountId }: Principal,
    @Body() dto: CreateEndpointDto,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<EndpointWithSecretDto> {
    return bodyOf(await this.endpoints.create(accountId, dto, idempotencyKey), reply);
  }

  @Get()
  list(
    @CurrentPrincipal() { accountId }: Principal,
    @Query() { limit, cursor }: ListQueryDto,
  ): Promise<Page<EndpointDto>> {
    return this.endpoints.list(accountId, limit, cursor);
  }

  @Get(':id')
  get(@CurrentPrincipal() { accountId }: Principal, @Param('id') id: string): Promise<EndpointDto> {
    return this.endpoints.get(accountId, id);
  }

  @Patch(':id')
  update(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('id') id: string,
    @Body() dto: UpdateEndpointDto,
  ): Promise<EndpointDto> {
    return this.control.update(accountId, id, dto);
  }

  @Delete(':id')
  @HttpCode(204)
  delete(@CurrentPrincipal() { accountId }: Principal, @Param('id') id: string): Promise<void> {
    return this.endpoints.delete(accountId, id);
  }

  @Post(':id/ping')
  @HttpCode(202)
  async ping(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('id') id: string,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DeliveryDto> {
    return bodyOf(await this.control.ping(accountId, id, idempotencyKey), reply);
  }

  @Post(':id/rotate-secret')
  @HttpCode(200)
  async rotateSecret(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('id') id: string,
    @Body() dto: RotateSecretDto,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<EndpointWithSecretDto> {
    return bodyOf(await this.endpoints.rotateSecret(accountId, id, dto, idempotencyKey), reply);
  }

  @Post(':id/recover')
  @HttpCode(202)
  recover(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('id') id: string,
    @Body() { since }: RecoverDto,
  ): Promise<RecoveredDto> {
    return this.control.recover(accountId, id, since);
  }
}
