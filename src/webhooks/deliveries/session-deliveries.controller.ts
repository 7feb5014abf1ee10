import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse } from '@nestjs/swagger';
import { SignedIn } from '../../common/access/access.decorator.js';
import type { Page } from '../../common/lists/pagination.js';
import { CurrentPrincipal } from '../../common/access/principal.decorator.js';
import type { Principal } from '../../kernel/principal.js';
import { EVENT_CATALOGUE } from '../events/schemas/event-catalog.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliveryDto, DeliveryListDto } from './delivery.dto.js';
import { EventTypeListDto } from '../events/event-type.dto.js';
import { ListDeliveriesQueryDto } from './list-deliveries-query.dto.js';
import { DeliveryRequestsRepository } from './delivery-requests.repository.js';
import { SessionDeliveryDto } from './session-delivery.dto.js';

/** Event types and deliveries of the public API, with a session. */
@Controller('dashboard/api/webhooks')
@SignedIn()
export class SessionDeliveriesController {
  constructor(
    private readonly deliveries: DeliveriesService,
    private readonly requests: DeliveryRequestsRepository,
  ) {}

  @Get('events')
  @ApiOkResponse({ type: EventTypeListDto })
  events(): EventTypeListDto {
    return { data: [...EVENT_CATALOGUE] };
  }

  @Get('deliveries')
  @ApiOkResponse({ type: DeliveryListDto })
  list(
    @CurrentPrincipal() { accountId }: Principal,
    @Query() query: ListDeliveriesQueryDto,
  ): Promise<Page<DeliveryDto>> {
    return this.deliveries.list(accountId, query);
  }

  @Get('deliveries/:id')
  @ApiOkResponse({ type: SessionDeliveryDto })
  async get(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('id') id: string,
  ): Promise<SessionDeliveryDto> {
    const delivery = await this.deliveries.get(accountId, id);
    const request = await this.requests.of(accountId, delivery.eventId);
    return request === undefined ? delivery : Object.assign(delivery, { request });
  }

  @Post('deliveries/:id/redeliver')
  @HttpCode(202)
  @ApiAcceptedResponse({ type: DeliveryDto })
  redeliver(@CurrentPrincipal() { accountId }: Principal, @Param('id') id: string): Promise<DeliveryDto> {
    return this.deliveries.redeliver(accountId, id);
  }
}
