import type { ApiPromise } from '../http/api-promise.js';
import type { Delivery, DeliveryList } from '../generated/schema.js';
import type { Transport } from '../http/transport.js';
import type { RequestOptions } from '../options.js';
import { List } from '../page.js';

export interface ListDeliveriesQuery {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly endpointId?: string | undefined;
  readonly eventType?: Delivery['eventType'] | undefined;
  readonly status?: Delivery['status'] | undefined;
}

/** Webhook deliveries, with all attempts. */
export class Deliveries {
  constructor(private readonly transport: Transport) {}

  get(id: string, options: RequestOptions = {}): ApiPromise<Delivery> {
    return this.transport.json({ method: 'GET', path: pathOf(id) }, options);
  }

  /** Newest first. */
  list(query: ListDeliveriesQuery = {}, options: RequestOptions = {}): List<Delivery> {
    return new List((cursor) =>
      this.transport.json<DeliveryList>(
        { method: 'GET', path: PATH, query: { ...query, cursor: cursor ?? query.cursor } },
        options,
      ),
    );
  }

  /** Sends a delivery again. */
  redeliver(id: string, options: RequestOptions = {}): ApiPromise<Delivery> {
    return this.transport.json({ method: 'POST', path: `${pathOf(id)}/redeliver` }, options);
  }
}

const PATH = '/webhooks/deliveries';
const pathOf = (id: string): string => `${PATH}/${encodeURIComponent(id)}`;
