import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AnyScope } from '../../common/access/access.decorator.js';
import type { Page } from '../../common/lists/pagination.js';
import { CurrentPrincipal } from '../../common/access/principal.decorator.js';
import { KEY_PROBLEMS, Problems } from '../../common/problems/problems.decorator.js';
import type { Principal } from '../../kernel/principal.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveryDto, DeliveryListDto } from './delivery.dto.js';
import { ListDeliveriesQueryDto } from './list-deliveries-query.dto.js';

@ApiTags('Webhooks')
@Controller('api/webhooks/deliveries')
@AnyScope('webhook:manage')
export class DeliveriesController {
  constructor(private readonly deliveries: DeliveriesService) {}

  @Get()
  @ApiOperation({
    summary: 'List deliveries with their attempts, newest first',
    operationId: 'listWebhookDeliveries',
    description: 'Filters can be combined. Follow `nextCursor` until it is null.',
  })
  @ApiOkResponse({ type: DeliveryListDto })
  @Problems('invalid_request', 'invalid_cursor', ...KEY_PROBLEMS)
  list(
    @CurrentPrincipal() principal: Principal,
    @Query() query: ListDeliveriesQueryDto,
  ): Promise<Page<DeliveryDto>> {
    return this.deliveries.list(principal.accountId, query);
  }

  @Get(':id')
  @ApiOperation({
    summary: 'One delivery with its attempts',
    operationId: 'getWebhookDelivery',
    description: 'With the status, the duration and the beginning of the body of each response.',
  })
  @ApiOkResponse({ type: DeliveryDto })
  @Problems('not_found', ...KEY_PROBLEMS)
  get(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<DeliveryDto> {
    return this.deliveries.get(principal.accountId, id);
  }

  @Post(':id/redeliver')
  @HttpCode(202)
  @ApiOperation({
    summary: 'Send an event to its endpoint again',
    description:
      'At once, or when the pause that the endpoint asked for (`Retry-After` with 429 or 503) is over: `nextAttemptAt` says when.',
    operationId: 'redeliverWebhookDelivery',
  })
  @ApiAcceptedResponse({ type: DeliveryDto })
  @Problems('not_found', 'endpoint_disabled', ...KEY_PROBLEMS)
  redeliver(@CurrentPrincipal() principal: Principal, @Param('id') id: string): Promise<DeliveryDto> {
    return this.deliveries.redeliver(principal.accountId, id);
  }
}
