import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { SignedIn } from '../../common/access/access.decorator.js';
import type { Page } from '../../common/lists/pagination.js';
import { CurrentPrincipal } from '../../common/access/principal.decorator.js';
import type { Principal } from '../../kernel/principal.js';
import { EVENT_CATALOGUE } from '../events/schemas/event-catalog.js';
import { DeliveriesService } from './deliveries.service.js';
import type { DeliveryDto } from './delivery.dto.js';
import type { EventTypeListDto } from '../events/event-type.dto.js';
import { ListDeliveriesQueryDto } from './list-deliveries-query.dto.js';
import { type DeliveryRequest, DeliveryRequestsRepository } from './delivery-requests.repository.js';

/** Event types and deliveries of the public API, for whoever is signed in. */
@ApiExcludeController()
@Controller('dashboard/api/webhooks')
@SignedIn()
export class SessionDeliveriesController {
  constructor(
    private readonly deliveries: DeliveriesService,
    private readonly requests: DeliveryRequestsRepository,
  ) {}

  @Get('events')
  events(): EventTypeListDto {
    return { data: [...EVENT_CATALOGUE] };
  }

  @Get('deliveries')
  list(
    @CurrentPrincipal() { accountId }: Principal,
    @Query() query: ListDeliveriesQueryDto,
  ): Promise<Page<DeliveryDto>> {
    return this.deliveries.list(accountId, query);
  }

  @Get('deliveries/:id')
  async get(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('id') id: string,
  ): Promise<DeliveryDto & { readonly request?: DeliveryRequest }> {
    const delivery = await this.deliveries.get(accountId, id);
    const request = await this.requests.of(accountId, delivery.eventId);
    return request === undefined ? delivery : Object.assign(delivery, { request });
  }

  @Post('deliveries/:id/redeliver')
  @HttpCode(202)
  redeliver(@CurrentPrincipal() { accountId }: Principal, @Param('id') id: string): Promise<DeliveryDto> {
    return this.deliveries.redeliver(accountId, id);
  }
}
