import { Module } from '@nestjs/common';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { DeliveriesController } from './deliveries.controller.js';
import { DeliveriesRepository } from './deliveries.repository.js';
import { DeliveriesService } from './deliveries.service.js';
import { EndpointControl } from './endpoint-control.service.js';
import { EndpointDeliveriesRepository } from './endpoint-deliveries.repository.js';
import { EndpointSecrets } from './endpoint-secrets.js';
import { EndpointsController } from './endpoints.controller.js';
import { EndpointsRepository } from './endpoints.repository.js';
import { EndpointsService } from './endpoints.service.js';
import { EventTypesController } from './event-types.controller.js';

/** Webhooks as the API serves them. Sending is the dispatcher's: WebhookDeliveryModule. */
@Module({
  imports: [IdempotencyModule],
  controllers: [EventTypesController, EndpointsController, DeliveriesController],
  providers: [
    DeliveriesRepository,
    EndpointDeliveriesRepository,
    EndpointsRepository,
    EndpointSecrets,
    DeliveriesService,
    EndpointControl,
    EndpointsService,
  ],
  exports: [DeliveriesService, EndpointControl, EndpointsService],
})
export class WebhooksModule {}
