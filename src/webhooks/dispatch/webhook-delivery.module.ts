import { Module } from '@nestjs/common';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { createOutboundAgent } from '../../infra/net/outbound-agent.js';
import { EndpointSecrets } from '../endpoints/endpoint-secrets.js';
import { BacklogRepository } from './backlog.repository.js';
import { ClaimsRepository } from './claims.repository.js';
import { Deliverer } from './deliverer.js';
import { DeliveryLoop } from './delivery-loop.js';
import { FanOutRepository } from './fan-out.repository.js';
import { Metrics } from '../../infra/telemetry/metrics.js';
import { WebhookMetrics } from '../../infra/telemetry/dispatcher/webhook-metrics.js';
import { AttemptRecorder } from './attempt-recorder.js';
import { ResultsRepository } from './results.repository.js';
import { OUTBOUND, WebhookSender } from './webhook-sender.js';

/** Webhook delivery in the dispatcher. */
@Module({
  providers: [
    {
      provide: OUTBOUND,
      inject: [CONFIG],
      useFactory: (config: Config) =>
        createOutboundAgent({
          allowHttp: config.webhookAllowHttp,
          allowPorts: config.webhookPorts,
          allowNetworks: config.webhookAllowNetworks,
          connectTimeoutMs: config.webhookTimeoutMs,
        }),
    },
    EndpointSecrets,
    BacklogRepository,
    {
      provide: WebhookMetrics,
      inject: [Metrics, BacklogRepository],
      useFactory: (metrics: Metrics, backlog: BacklogRepository) =>
        new WebhookMetrics(metrics, () => backlog.read()),
    },
    FanOutRepository,
    ClaimsRepository,
    ResultsRepository,
    AttemptRecorder,
    WebhookSender,
    Deliverer,
    DeliveryLoop,
  ],
})
export class WebhookDeliveryModule {}
