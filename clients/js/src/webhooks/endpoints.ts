import type { ApiPromise } from '../http/api-promise.js';
import type {
  CreateEndpoint,
  Delivery,
  Endpoint,
  EndpointList,
  EndpointWithSecret,
  Recovered,
  UpdateEndpoint,
} from '../generated/schema.js';
import { deleteOnce } from '../http/delete-once.js';
import { newIdempotencyKey } from '../http/idempotency-key.js';
import type { Transport } from '../http/transport.js';
import type { CreateOptions, RequestOptions } from '../options.js';
import { List } from '../page.js';

/** Webhook endpoints: URLs that receive events. */
export class Endpoints {
  constructor(private readonly transport: Transport) {}

  /** Creates an endpoint. The response contains the secret, which is never shown again. */
  create(endpoint: CreateEndpoint, options: CreateOptions = {}): ApiPromise<EndpointWithSecret> {
    const idempotencyKey = options.idempotencyKey ?? newIdempotencyKey();
    return this.transport.json({ method: 'POST', path: PATH, body: endpoint, idempotencyKey }, options);
  }

  get(id: string, options: RequestOptions = {}): ApiPromise<Endpoint> {
    return this.transport.json({ method: 'GET', path: pathOf(id) }, options);
  }

  list(
    query: { readonly limit?: number | undefined; readonly cursor?: string | undefined } = {},
    options: RequestOptions = {},
  ): List<Endpoint> {
    return new List((cursor) =>
      this.transport.json<EndpointList>(
        { method: 'GET', path: PATH, query: { ...query, cursor: cursor ?? query.cursor } },
        options,
      ),
    );
  }

  update(id: string, changes: UpdateEndpoint, options: RequestOptions = {}): ApiPromise<Endpoint> {
    return this.transport.json({ method: 'PATCH', path: pathOf(id), body: changes }, options);
  }

  async delete(id: string, options: RequestOptions = {}): Promise<void> {
    await deleteOnce(this.transport, pathOf(id), options);
  }

  /** Sends a `ping`, regardless of the event types of the endpoint. */
  ping(id: string, options: CreateOptions = {}): ApiPromise<Delivery> {
    const idempotencyKey = options.idempotencyKey ?? newIdempotencyKey();
    return this.transport.json({ method: 'POST', path: `${pathOf(id)}/ping`, idempotencyKey }, options);
  }

  /** Creates a new secret. The old one also signs for `overlapSeconds` (default: a day). */
  rotateSecret(
    id: string,
    body: { readonly overlapSeconds?: number } = {},
    options: CreateOptions = {},
  ): ApiPromise<EndpointWithSecret> {
    const idempotencyKey = options.idempotencyKey ?? newIdempotencyKey();
    const path = `${pathOf(id)}/rotate-secret`;
    return this.transport.json({ method: 'POST', path, body, idempotencyKey }, options);
  }

  /** Sends all events again that the endpoint missed since that time. */
  recover(id: string, since: Date | string, options: RequestOptions = {}): ApiPromise<Recovered> {
    const body = { since: typeof since === 'string' ? since : since.toISOString() };
    // Deliveries in progress are not sent twice, so the request is safe to repeat.
    const request = { method: 'POST', path: `${pathOf(id)}/recover`, body, isRepeatable: true } as const;
    return this.transport.json(request, options);
  }
}

const PATH = '/webhooks/endpoints';
const pathOf = (id: string): string => `${PATH}/${encodeURIComponent(id)}`;
