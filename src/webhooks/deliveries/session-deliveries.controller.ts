import { Controller, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse } from '@nestjs/swagger';
import { RequiresPermission } from '../../common/access/access.decorator.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import type { Page } from '../../common/lists/pagination.js';
import { CurrentPrincipal } from '../../common/access/principal.decorator.js';
import type { Principal } from '../../kernel/principal.js';
import { Database } from '../../infra/database/database.js';
import { choosableEvents } from '../events/choosable-events.js';
import { DeliveriesService } from './deliveries.service.js';
import { presentDelivery } from './delivery-presenter.js';
import { DeliveryDto } from './delivery.dto.js';
import type { AttemptEntity } from './attempt.entity.js';
import type { DeliveryEntity } from './delivery.entity.js';
import { EventTypeListDto } from '../events/event-type.dto.js';
import { ListDeliveriesQueryDto } from './list-deliveries-query.dto.js';
import { DeliveryRequestsRepository } from './delivery-requests.repository.js';
import { SessionDeliveryDto, SessionDeliveryListDto } from './session-delivery.dto.js';

/** Event types and deliveries of the public API, with a session. */
@Controller('dashboard/api/webhooks')
export class SessionDeliveriesController {
  constructor(
    private readonly deliveries: DeliveriesService,
    private readonly requests: DeliveryRequestsRepository,
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @RequiresPermission('webhooks:read')
  @Get('events')
  @ApiOkResponse({ type: EventTypeListDto })
  events(@CurrentPrincipal() { accountId }: Principal): Promise<EventTypeListDto> {
    return choosableEvents(this.database, accountId);
  }

  @RequiresPermission('webhooks:read')
  @Get('deliveries')
  @ApiOkResponse({ type: SessionDeliveryListDto })
  list(
    @CurrentPrincipal() { accountId }: Principal,
    @Query() query: ListDeliveriesQueryDto,
  ): Promise<Page<SessionDeliveryDto>> {
    return this.deliveries.listAs(accountId, query, this.present);
  }

  @RequiresPermission('webhooks:read')
  @Get('deliveries/:id')
  @ApiOkResponse({ type: SessionDeliveryDto })
  async get(
    @CurrentPrincipal() { accountId }: Principal,
    @Param('id') id: string,
  ): Promise<SessionDeliveryDto> {
    const delivery = await this.deliveries.getAs(accountId, id, this.present);
    const request = await this.requests.of(accountId, delivery.eventId);
    return request === undefined ? delivery : Object.assign(delivery, { request });
  }

  @RequiresPermission('webhooks:write')
  @Post('deliveries/:id/redeliver')
  @HttpCode(202)
  @ApiAcceptedResponse({ type: DeliveryDto })
  redeliver(@CurrentPrincipal() { accountId }: Principal, @Param('id') id: string): Promise<DeliveryDto> {
    return this.deliveries.redeliver(accountId, id);
  }

  private readonly present = (
    delivery: DeliveryEntity,
    attempts: readonly AttemptEntity[],
  ): SessionDeliveryDto => {
    const left = Math.max(0, this.config.webhookRetryDelaysMs.length - delivery.step);
    return Object.assign(presentDelivery(delivery, attempts), { maxAttempts: delivery.attemptCount + left });
  };
}
