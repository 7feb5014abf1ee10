import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { errorLogger } from '../../infra/database/error-logger.js';
import { Notifications } from '../../infra/database/notifications.js';
import { DELIVERIES_DUE, WAKE_CHANNEL } from '../deliveries/delivery-rows.sql.js';
import { ClaimsRepository } from './claims.repository.js';
import { Deliverer } from './deliverer.js';
import { FanOutRepository } from './fan-out.repository.js';
import { Tracing } from '../../infra/telemetry/tracing/tracing.js';
import { WakeableLoop } from '../../kernel/concurrency/wakeable-loop.js';

/** Poll interval: notifications may get lost, and other dispatchers wake only themselves. */
const POLL_MS = 1_000;
/**
 * Minimum pause between scans of pending deliveries, also at least ten times the duration of the last scan.
 */
const LOOK_PAUSE_MS = 50;
const LOOK_SHARE = 10;
const EVENT_BATCH = 200;
/** Slots that become free within this time are filled by one claim. */
const REFILL_MS = 5;

/**
 * Runs two loops: one turns events into deliveries, the other sends due deliveries. A new event passes
 * through both at once.
 */
@Injectable()
export class DeliveryLoop implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly fanOutLoop = new WakeableLoop(() => this.fanOutAll(), errorLogger('webhooks'));
  private readonly sendLoop = new WakeableLoop(() => this.send(), errorLogger('webhooks'));
  /** The host of each endpoint that may have due deliveries. */
  private readonly ready = new Map<string, string>();
  /** No scan before this time. */
  private nextLookMs = 0;
  private lookAgainMs = 0;
  private isLookWanted = false;
  private unsubscribe: (() => void) | undefined;

  constructor(
    private readonly fanOut: FanOutRepository,
    private readonly claims: ClaimsRepository,
    private readonly deliverer: Deliverer,
    private readonly notifications: Notifications,
    private readonly tracing: Tracing,
  ) {}

  onApplicationBootstrap(): void {
    this.unsubscribe = this.notifications.subscribe(WAKE_CHANNEL, (payload) => {
      if (payload !== DELIVERIES_DUE) this.fanOutLoop.wake();
      if (payload === '') return;
      this.isLookWanted = true;
      this.sendLoop.wake(this.nextLookMs - performance.now());
    });
    this.fanOutLoop.wake();
    this.sendLoop.wake();
  }

  /** Before the connections to the database are closed. */
  async beforeApplicationShutdown(): Promise<void> {
    this.unsubscribe?.();
    await Promise.all([this.fanOutLoop.end(), this.sendLoop.end()]);
    await this.deliverer.drain();
  }

  private async fanOutAll(): Promise<number> {
    const startMs = Date.now();
    const { events, endpoints, traceparents } = await this.fanOut.fanOut(EVENT_BATCH);
    const attributes = { 'ies.events': events, 'ies.endpoints': endpoints.length };
    for (const parent of traceparents) this.tracing.start('fan-out', { parent, attributes, startMs }).end();
    for (const { endpointId, host } of endpoints) this.ready.set(endpointId, host);
    if (endpoints.length > 0) this.sendLoop.wake();
    return events === EVENT_BATCH ? 0 : POLL_MS;
  }

  private async send(): Promise<number> {
    if (performance.now() >= this.lookDueMs) await this.look();
    const rateWaitMs = await this.deliverer.fill(this.ready, () => this.sendLoop.wake(REFILL_MS));
    return Math.max(0, Math.min(this.lookDueMs - performance.now(), Math.max(rateWaitMs, REFILL_MS)));
  }

  private get lookDueMs(): number {
    return this.isLookWanted ? this.nextLookMs : this.lookAgainMs;
  }

  /** Reads which endpoints have due deliveries, and when the next one is due. */
  private async look(): Promise<void> {
    const lookedMs = performance.now();
    this.isLookWanted = false;
    let nextMs = POLL_MS;
    for (const { endpointId, host, dueInMs } of await this.claims.waiting()) {
      if (dueInMs <= 0) this.ready.set(endpointId, host);
      else nextMs = Math.min(nextMs, dueInMs);
    }
    const nowMs = performance.now();
    this.nextLookMs = nowMs + Math.max(LOOK_PAUSE_MS, LOOK_SHARE * (nowMs - lookedMs));
    this.lookAgainMs = Math.max(this.nextLookMs, nowMs + nextMs);
  }
}
