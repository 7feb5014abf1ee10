import { setMaxListeners } from 'node:events';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import type { AttemptEnd } from '../../infra/telemetry/dispatcher/webhook-metrics.js';
import { Tracing } from '../../infra/telemetry/tracing/tracing.js';
import { abortWorkAfterMs } from '../../kernel/concurrency/drain.js';
import { ClaimedDelivery, type ClaimedRow } from './claimed-delivery.js';
import { ClaimsRepository } from './claims.repository.js';
import { EndpointSlots, type Slot } from './endpoint-slots.js';
import { AttemptRecorder } from './attempt-recorder.js';
import { endOf } from './settlement.js';
import { traceAttempt } from './trace-attempt.js';
import { NotAttempted, WebhookSender } from './webhook-sender.js';

/** Lease time beyond the timeout: for reading the response, storing the result, and a busy process. */
const LEASE_MARGIN_MS = 5_000;

/**
 * Delivers due webhooks for the given endpoints. A delivery is claimed only when it can start at once, with a
 * lease that ends after its timeout. After a crash another dispatcher takes it over, and never earlier.
 */
@Injectable()
export class Deliverer {
  private readonly logger = new Logger('webhooks');
  private readonly slots: EndpointSlots;
  private readonly underWay = new Set<Promise<void>>();
  private readonly stop = new AbortController();
  private readonly leaseMs: number;

  constructor(
    private readonly claims: ClaimsRepository,
    private readonly sender: WebhookSender,
    private readonly recorder: AttemptRecorder,
    private readonly tracing: Tracing,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.slots = new EndpointSlots({
      concurrency: config.webhookConcurrency,
      endpointConcurrency: config.webhookEndpointConcurrency,
      hostRate: config.webhookHostRate,
    });
    // Every attempt listens to this signal.
    setMaxListeners(0, this.stop.signal);
    this.leaseMs = config.webhookTimeoutMs + Math.max(config.webhookTimeoutMs, LEASE_MARGIN_MS);
  }

  /**
   * Starts as many attempts at these endpoints as there are slots.
   * @param ready the host of each endpoint, in order; those without due deliveries are removed
   * @param onFree called whenever a slot becomes free
   * @returns milliseconds until the rate of a host allows more; Infinity if no endpoint waits for it
   */
  async fill(ready: Map<string, string>, onFree: () => void): Promise<number> {
    const { rooms, rateWaitMs } = this.slots.rooms(ready);
    if (rooms.size > 0) await this.claim(ready, rooms, onFree);
    return rateWaitMs;
  }

  private async claim(
    ready: Map<string, string>,
    rooms: ReadonlyMap<string, number>,
    onFree: () => void,
  ): Promise<void> {
    const leaseEndsMs = performance.now() + this.leaseMs;
    const rows = await this.claims.claim(rooms, this.leaseMs);
    const taken = new Map<string, number>();
    for (const row of rows) {
      const { endpointId } = row.destination;
      taken.set(endpointId, (taken.get(endpointId) ?? 0) + 1);
      this.begin(new ClaimedDelivery(row, leaseEndsMs), ready.get(endpointId)!, onFree);
    }
    for (const [endpointId, room] of rooms) {
      const host = ready.get(endpointId)!;
      // Back to the end of the line, if more may be due.
      ready.delete(endpointId);
      if (taken.get(endpointId) === room) ready.set(endpointId, host);
    }
  }

  /** Waits for attempts in progress for a while; aborts and releases the rest. */
  async drain(): Promise<void> {
    const timer = setTimeout(() => this.stop.abort(), abortWorkAfterMs(this.config.drainTimeoutMs));
    await Promise.all(this.underWay);
    clearTimeout(timer);
  }

  private begin(delivery: ClaimedDelivery, host: string, onFree: () => void): void {
    const slot = this.slots.begin(delivery.row.destination.endpointId, host);
    const slow = setTimeout(() => slot.turnSlow(), slot.slowAfterMs);
    const attempt = this.attempt(delivery, slot, slow).finally(() => {
      this.underWay.delete(attempt);
      onFree();
    });
    this.underWay.add(attempt);
  }

  private async attempt(delivery: ClaimedDelivery, slot: Slot, slow: NodeJS.Timeout): Promise<void> {
    let end: AttemptEnd | undefined;
    try {
      const attempt = await traceAttempt(this.tracing, delivery.row, () =>
        this.sender.send(delivery, this.stop.signal),
      );
      end = endOf(attempt);
      clearTimeout(slow);
      await this.recorder.record(attempt);
    } catch (error) {
      await this.giveBack(delivery.row, error);
    } finally {
      clearTimeout(slow);
      slot.end(end);
    }
  }

  /** No result. Aborted by this process: due at once. A fault of ours: due when the lease expires. */
  private async giveBack(row: ClaimedRow, error: unknown): Promise<void> {
    const { id } = row;
    if (!(error instanceof NotAttempted))
      this.logger.error({ delivery: id, error: String(error) }, 'could not send a webhook');
    else
      await this.claims.release([row]).catch((releaseError: unknown) => {
        this.logger.warn(
          { delivery: id, error: String(releaseError) },
          'could not release a webhook delivery',
        );
      });
  }
}
