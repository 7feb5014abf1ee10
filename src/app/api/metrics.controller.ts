import { Controller, Get, Headers, Inject, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../../common/access/access.decorator.js';
import type { FastifyReply } from '../../common/requests/request-context.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { mayReadMetrics, Metrics } from '../../infra/telemetry/metrics.js';
import { ModelMetrics } from '../../infra/telemetry/model-metrics.js';
import { AppError } from '../../kernel/app-error.js';
import { AvailableOperations } from '../../models/serving/available-operations.js';

/** Prometheus metrics. The API is public, so reading them requires the operator's token. */
@ApiExcludeController()
@Controller('metrics')
@Public()
export class MetricsController {
  constructor(
    private readonly metrics: Metrics,
    private readonly modelMetrics: ModelMetrics,
    private readonly available: AvailableOperations,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @throws AppError `not_found` while METRICS_TOKEN is not set, `unauthorized` without the token */
  @Get()
  async read(
    @Headers('authorization') authorization: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const token = this.config.metricsToken;
    if (token === undefined)
      throw new AppError('not_found', { detail: 'Metrics are disabled: METRICS_TOKEN is not set.' });
    if (!mayReadMetrics(token, authorization)) {
      throw new AppError('unauthorized', {
        detail: 'Send METRICS_TOKEN as "Authorization: Bearer …".',
      });
    }
    this.modelMetrics.set(this.available.health().refusals);
    const text = await this.metrics.text();
    await reply.type(this.metrics.contentType).send(text);
  }
}
