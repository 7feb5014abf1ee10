import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Res } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBody,
  ApiCreatedResponse,
  ApiHeader,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { goneSignal } from '../../common/requests/gone-signal.js';
import { AnyScope } from '../../common/access/access.decorator.js';
import { ListQueryDto } from '../../common/lists/list-query.dto.js';
import type { Page } from '../../common/lists/pagination.js';
import { CurrentPrincipal } from '../../common/access/principal.decorator.js';
import { KEY_PROBLEMS, Problems } from '../../common/problems/problems.decorator.js';
import type { FastifyReply } from '../../common/requests/request-context.js';
import { bodyOf } from '../../idempotency/body-of.js';
import { IDEMPOTENCY_HEADER, IdempotencyKey } from '../../idempotency/idempotency-key.decorator.js';
import type { Principal } from '../../kernel/principal.js';
import { CreateEndpointDto } from './create-endpoint.dto.js';
import { DeliveryDto } from '../deliveries/delivery.dto.js';
import { EndpointControl } from './endpoint-control.js';
import { EndpointDto, EndpointListDto, EndpointWithSecretDto } from './endpoint.dto.js';
import { EndpointsService } from './endpoints.service.js';
import { RecoverDto, RecoveredDto } from './recover.dto.js';
import { RotateSecretDto } from './rotate-secret.dto.js';
import { UpdateEndpointDto } from './update-endpoint.dto.js';

const BODY_PROBLEMS = [
  'malformed_json',
  'invalid_request',
  'payload_too_large',
  'unsupported_media_type',
] as const;
const IDEMPOTENCY_PROBLEMS = ['invalid_request', 'idempotency_in_progress', 'idempotency_mismatch'] as const;

@ApiTags('Webhooks')
@Controller('api/webhooks/endpoints')
@AnyScope('webhook:manage')
export class EndpointsController {
  constructor(
    private readonly endpoints: EndpointsService,
    private readonly control: EndpointControl,
  ) {}

  @Post()
  @HttpCode(201)
  @ApiOperation({
    summary: 'Register an endpoint; its signing secret is shown only here',
    operationId: 'createWebhookEndpoint',
    description:
      'The URL must be reachable from the public internet over HTTPS. Keep the `secret`: it verifies the signatures.',
  })
  @ApiHeader(IDEMPOTENCY_HEADER)
  @ApiCreatedResponse({ type: EndpointWithSecretDto, headers: { Location: { schema: { type: 'string' } } } })
  @Problems(...BODY_PROBLEMS, ...IDEMPOTENCY_PROBLEMS, 'endpoint_limit_reached', ...KEY_PROBLEMS)
  async create(
    @CurrentPrincipal() principal: Principal,
    @Body() dto: CreateEndpointDto,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<EndpointWithSecretDto> {
    const body = bodyOf(await this.endpoints.create(principal.accountId, dto, idempotencyKey), reply);
    reply.header('Location', `/api/webhooks/endpoints/${body.id}`);
    return body;
  }

  @Get()
  @ApiOperation({
    summary: 'List endpoints, newest first',
    operationId: 'listWebhookEndpoints',
    description: 'Without secrets. Follow `nextCursor` until it is null.',
  })
  @ApiOkResponse({ type: EndpointListDto })
  @Problems('invalid_request', 'invalid_cursor', ...KEY_PROBLEMS)
  list(@CurrentPrincipal() principal: Principal, @Query() query: ListQueryDto): Promise<Page<EndpointDto>> {
    return this.endpoints.list(principal.accountId, query.limit, query.cursor);
  }

  @Get(':id')
  @ApiOperation({
    summary: 'One endpoint',
    operationId: 'getWebhookEndpoint',
    description: 'Without its secret. `disabledReason` says why it is disabled.',
  })
  @ApiOkResponse({ type: EndpointDto })
  @Problems('not_found', ...KEY_PROBLEMS)
  get(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<EndpointDto> {
    return this.endpoints.get(principal.accountId, id);
  }

  @Patch(':id')
  @ApiOperation({
    summary: 'Change an endpoint, disable or enable it',
    operationId: 'updateWebhookEndpoint',
    description:
      'Fields that are left out stay as they are. `enabled: true` also enables an endpoint that the service disabled after failures.',
  })
  @ApiBody({ type: UpdateEndpointDto, required: false })
  @ApiOkResponse({ type: EndpointDto })
  @Problems('not_found', ...BODY_PROBLEMS, ...KEY_PROBLEMS)
  update(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() dto: UpdateEndpointDto,
  ): Promise<EndpointDto> {
    return this.control.update(principal.accountId, id, dto);
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Delete an endpoint and its deliveries',
    operationId: 'deleteWebhookEndpoint',
    description: 'Pending deliveries are not sent.',
  })
  @ApiNoContentResponse()
  @Problems('not_found', ...KEY_PROBLEMS)
  delete(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<void> {
    return this.endpoints.delete(principal.accountId, id);
  }

  @Post(':id/ping')
  @HttpCode(202)
  @ApiOperation({
    summary: 'Send a `ping` event to this endpoint',
    operationId: 'pingWebhookEndpoint',
    description:
      'The ping is sent regardless of the event types that the endpoint chose. The response is its delivery.',
  })
  @ApiHeader(IDEMPOTENCY_HEADER)
  @ApiAcceptedResponse({ type: DeliveryDto })
  @Problems('not_found', 'endpoint_disabled', ...IDEMPOTENCY_PROBLEMS, ...KEY_PROBLEMS)
  async ping(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DeliveryDto> {
    return bodyOf(await this.control.ping(principal.accountId, id, idempotencyKey), reply);
  }

  @Post(':id/rotate-secret')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Rotate the signing secret; the previous secret stays valid for an overlap period',
    operationId: 'rotateWebhookSecret',
    description:
      'Both secrets sign until `overlapSeconds` are over, so that receivers can change without a gap.',
  })
  @ApiHeader(IDEMPOTENCY_HEADER)
  @ApiBody({ type: RotateSecretDto, required: false })
  @ApiOkResponse({ type: EndpointWithSecretDto })
  @Problems('not_found', ...BODY_PROBLEMS, ...IDEMPOTENCY_PROBLEMS, ...KEY_PROBLEMS)
  async rotateSecret(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() dto: RotateSecretDto,
    @IdempotencyKey() idempotencyKey: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<EndpointWithSecretDto> {
    return bodyOf(await this.endpoints.rotateSecret(principal.accountId, id, dto, idempotencyKey), reply);
  }

  @Post(':id/recover')
  @HttpCode(202)
  @ApiOperation({
    summary: 'Send the events since a given time that were not delivered',
    operationId: 'recoverWebhookEndpoint',
    description:
      'Failed deliveries since then are due at once, and so are events that were never sent to this endpoint.',
  })
  @ApiAcceptedResponse({ type: RecoveredDto })
  @Problems('not_found', 'endpoint_disabled', ...BODY_PROBLEMS, ...KEY_PROBLEMS)
  recover(
    @CurrentPrincipal() principal: Principal,
    @Param('id') id: string,
    @Body() dto: RecoverDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RecoveredDto> {
    return this.control.recover(principal.accountId, id, dto, goneSignal(reply.raw));
  }
}
