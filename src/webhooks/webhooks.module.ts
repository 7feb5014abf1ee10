import { Module } from '@nestjs/common';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { CallbackHosts } from './callbacks/callback-hosts.js';
import { CallbackHostsRepository } from './callbacks/callback-hosts.repository.js';
import { CallbackSecret } from './callbacks/callback-secret.js';
import { CallbackSecretController } from './callbacks/callback-secret.controller.js';
import { DeliveriesController } from './deliveries/deliveries.controller.js';
import { DeliveriesRepository } from './deliveries/deliveries.repository.js';
import { DeliveryRequestsRepository } from './deliveries/delivery-requests.repository.js';
import { SessionDeliveriesController } from './deliveries/session-deliveries.controller.js';
import { DeliveriesService } from './deliveries/deliveries.service.js';
import { EndpointControl } from './endpoints/endpoint-control.js';
import { EndpointDeliveriesRepository } from './deliveries/endpoint-deliveries.repository.js';
import { EndpointSecrets } from './endpoints/endpoint-secrets.js';
import { EndpointsController } from './endpoints/endpoints.controller.js';
import { EndpointsRepository } from './endpoints/endpoints.repository.js';
import { EndpointsService } from './endpoints/endpoints.service.js';
import { SessionEndpointsController } from './endpoints/session-endpoints.controller.js';
import { EventTypesController } from './events/event-types.controller.js';

/** Webhooks in the api. WebhookDeliveryModule sends them. */
@Module({
  imports: [IdempotencyModule],
  controllers: [
    EventTypesController,
    EndpointsController,
    DeliveriesController,
    CallbackSecretController,
    SessionEndpointsController,
    SessionDeliveriesController,
  ],
  providers: [
    DeliveriesRepository,
    EndpointDeliveriesRepository,
    EndpointsRepository,
    EndpointSecrets,
    CallbackHostsRepository,
    CallbackHosts,
    CallbackSecret,
    DeliveriesService,
    EndpointControl,
    EndpointsService,
    DeliveryRequestsRepository,
  ],
  exports: [CallbackHosts, DeliveriesService, EndpointControl, EndpointsService],
})
export class WebhooksModule {}
