import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import {
  fingerprintOf,
  type IdempotentAnswer,
  IdempotencyService,
} from '../../idempotency/idempotency.service.js';
import { currentActor } from '../../audit/audit-actor.js';
import { auditLog } from '../../audit/audit-log.js';
import { Database, type Queryable } from '../../infra/database/database.js';
import { AppError } from '../../kernel/app-error.js';
import { newId } from '../../kernel/ids.js';
import { DeliveriesRepository } from '../deliveries/deliveries.repository.js';
import { presentDelivery } from '../deliveries/delivery-presenter.js';
import type { DeliveryDto } from '../deliveries/delivery.dto.js';
import { EndpointDeliveriesRepository } from '../deliveries/endpoint-deliveries.repository.js';
import { lockRecovery, type Recovery, recoverSome } from '../deliveries/endpoint-recovery.js';
import { serviceEvents } from '../events/service-events.js';
import { presentEndpoint } from './endpoint-presenter.js';
import { acceptedUrl } from './endpoint-url.js';
import type { EndpointDto } from './endpoint.dto.js';
import type { Endpoint } from './endpoint.entity.js';
import { EndpointsRepository } from './endpoints.repository.js';
import { endpointNotFound, refuseUnlessEndpointId } from './endpoints.service.js';
import type { UpdateEndpointDto } from './update-endpoint.dto.js';

/** What the owner of an endpoint may change. */
const EDITABLE = ['url', 'events', 'description', 'metadata', 'enabled'] as const;

/** Changes an endpoint and its deliveries: settings, pings, recovery. */
@Injectable()
export class EndpointControl {
  constructor(
    private readonly endpoints: EndpointsRepository,
    private readonly onTheWay: EndpointDeliveriesRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly idempotency: IdempotencyService,
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Changes only the given fields.
   * @throws AppError `not_found`, `invalid_request`
   */
  async update(accountId: string, id: string, dto: UpdateEndpointDto): Promise<EndpointDto> {
    refuseUnlessEndpointId(id);
    const url = dto.url === undefined ? undefined : acceptedUrl(dto.url, this.config);
    let isMorePending = false;
    const updated = await this.database.transaction(async (tx) => {
      const endpoint = await this.lock(tx, accountId, id);
      const { events, description, metadata } = dto;
      await serviceEvents.requireChoosable(tx, accountId, events);
      const changed: Endpoint = {
        ...endpoint,
        ...moved(endpoint, url),
        events: events ?? endpoint.events,
        description: description === undefined ? endpoint.description : description,
        metadata: metadata ?? endpoint.metadata,
        ...switched(endpoint, dto.enabled),
      };
      if (endpoint.pausedUntil !== null && changed.pausedUntil === null) await this.onTheWay.wake(tx);
      await this.recordChange(tx, endpoint, changed);
      const row = await this.endpoints.update(tx, changed);
      if (endpoint.enabled && !row.enabled) isMorePending = await this.onTheWay.failPending(tx, id);
      return presentEndpoint(row);
    });
    // The endpoint is no longer locked: results of its attempts do not wait.
    while (isMorePending) isMorePending = await this.onTheWay.failPending(this.database, id);
    return updated;
  }

  private async recordChange(tx: Queryable, before: Endpoint, after: Endpoint): Promise<void> {
    const { id: targetId, accountId } = before;
    const changed = EDITABLE.filter(
      (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
    );
    if (changed.length === 0) return;
    const isDisabled = before.enabled && !after.enabled;
    const action = isDisabled ? 'endpoint.disabled' : 'endpoint.updated';
    const reason = currentActor().kind === 'operator' ? 'operator' : 'manual';
    const details = { ...(isDisabled && { reason }), changed };
    await auditLog.record(tx, { action, accountId, targetId, details });
    if (isDisabled && reason === 'operator') await this.endpoints.tellOfDisabling(tx, targetId, reason);
  }

  /**
   * Sends a `ping`, whatever types are selected.
   * @throws AppError `not_found`, `endpoint_disabled`, `idempotency_*`
   */
  async ping(accountId: string, id: string, key: string | undefined): Promise<IdempotentAnswer<DeliveryDto>> {
    refuseUnlessEndpointId(id);
    const fingerprint = fingerprintOf(`POST /api/webhooks/endpoints/${id}/ping`, {});
    return this.idempotency.run({ accountId, key, fingerprint }, async (tx) => {
      await this.lockEnabled(tx, accountId, id);
      const deliveryId = await this.onTheWay.ping(tx, accountId, id, newId('event'));
      return presentDelivery((await this.deliveries.find(accountId, deliveryId, tx))!, []);
    });
  }

  /**
   * Sends every event since then that was not delivered: failed and pending deliveries, and events from while
   * the endpoint was disabled. After an error, a repetition continues.
   * @param signal stops it after the current step, when the client is gone
   * @throws AppError `not_found`, `endpoint_disabled`, `service_unavailable` while another recovery of the endpoint runs
   */
  async recover(
    accountId: string,
    id: string,
    { since }: { readonly since: string },
    signal: AbortSignal,
  ): Promise<{ deliveries: number }> {
    refuseUnlessEndpointId(id);
    let deliveries = 0;
    let recovery: Recovery | undefined = { since };
    while (recovery !== undefined && !signal.aborted) {
      const from: Recovery = recovery;
      // In short transactions: results of other attempts wait for the endpoint.
      const step = await this.database.transaction(async (tx) => {
        await lockRecovery(tx, accountId, id);
        await this.lockEnabled(tx, accountId, id);
        const some = await recoverSome(tx, id, from);
        await this.onTheWay.wake(tx);
        return some;
      });
      deliveries += step.deliveries;
      recovery = step.next;
    }
    return { deliveries };
  }

  private async lockEnabled(tx: Queryable, accountId: string, id: string): Promise<void> {
    if (!(await this.lock(tx, accountId, id)).enabled) throw new AppError('endpoint_disabled');
  }

  private async lock(tx: Queryable, accountId: string, id: string): Promise<Endpoint> {
    const endpoint = await this.endpoints.findForUpdate(tx, accountId, id);
    if (endpoint === undefined || endpoint.callback) throw endpointNotFound(id);
    return endpoint;
  }
}

/** The state after a URL was set. A new URL starts without failures and without a delay. */
function moved(endpoint: Endpoint, url: string | undefined): Partial<Endpoint> {
  return url === undefined || url === endpoint.url ? {} : { url, firstFailureAt: null, pausedUntil: null };
}

/** The state after `enabled` was set. Enabling an endpoint resets its failures. */
function switched(endpoint: Endpoint, enabled: boolean | undefined): Partial<Endpoint> {
  if (enabled === undefined || enabled === endpoint.enabled) return {};
  return enabled
    ? { enabled, disabledReason: null, firstFailureAt: null, pausedUntil: null }
    : { enabled, disabledReason: 'manual' };
}
