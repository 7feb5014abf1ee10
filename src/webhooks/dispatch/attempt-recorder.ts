import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { WebhookMetrics } from '../../infra/telemetry/dispatcher/webhook-metrics.js';
import type { FinishedAttempt } from './claimed-delivery.js';
import { outcomesOf } from './endpoint-outcome.js';
import { ResultsRepository } from './results.repository.js';
import { endOf, settle, type SettledAttempt } from './settlement.js';
import { isRepeatable } from '../../infra/database/database-errors.js';

const BATCH = 200;
/** How long to wait for the database; after that the delivery is retried. */
const PATIENCE_MS = 60_000;
const PAUSE_MS = 500;

interface Waiting {
  readonly settled: SettledAttempt;
  readonly done: () => void;
}

/**
 * Stores results in batches: those that arrive during one write form the next batch. One statement for many
 * rows lets a single dispatcher record hundreds of responses per second.
 */
@Injectable()
export class AttemptRecorder {
  private readonly logger = new Logger('webhooks');
  private queue: Waiting[] = [];
  private isWriting = false;

  constructor(
    private readonly results: ResultsRepository,
    private readonly metrics: WebhookMetrics,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Resolves when the result is stored or dropped; a dropped delivery is retried when its lease expires. */
  record(attempt: FinishedAttempt): Promise<void> {
    this.metrics.attempt(endOf(attempt), attempt.durationMs / 1_000);
    const settlement = settle(attempt, this.config.webhookRetryDelaysMs, Math.random());
    return new Promise((done) => {
      this.queue.push({ settled: { attempt, settlement }, done });
      void this.writeAll();
    });
  }

  private async writeAll(): Promise<void> {
    if (this.isWriting) return;
    this.isWriting = true;
    while (this.queue.length > 0) {
      const batch = this.queue.slice(0, BATCH);
      this.queue = this.queue.slice(BATCH);
      await this.write(batch.map(({ settled }) => settled));
      for (const { done } of batch) done();
    }
    this.isWriting = false;
  }

  private async write(settled: readonly SettledAttempt[]): Promise<void> {
    const written = await this.retryWhileDatabaseUnavailable('results', () => this.results.record(settled));
    if (written === undefined) return;
    // If a crash loses an outcome here, the next attempt at the endpoint gives it.
    const outcomes = outcomesOf(settled, written);
    const { webhookDisableAfterMs } = this.config;
    const judged = await this.retryWhileDatabaseUnavailable('outcomes', () =>
      this.results.judge(outcomes, webhookDisableAfterMs),
    );
    for (const { id, disabledReason } of judged ?? []) {
      if (disabledReason === null) continue;
      this.metrics.endpointDisabled(disabledReason);
      this.logger.warn({ endpoint: id, reason: disabledReason }, 'disabled a webhook endpoint');
    }
  }

  /** Undefined when it was dropped. */
  private async retryWhileDatabaseUnavailable<T>(
    what: string,
    work: () => Promise<T>,
  ): Promise<T | undefined> {
    const endMs = performance.now() + PATIENCE_MS;
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!isRepeatable(error) || performance.now() > endMs) {
          this.logger.error({ error: String(error) }, `${what} of webhook attempts could not be stored`);
          return undefined;
        }
        await sleep(PAUSE_MS);
      }
    }
  }
}
