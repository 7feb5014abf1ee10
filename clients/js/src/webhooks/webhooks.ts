import type { EventType, EventTypeList } from '../generated/schema.js';
import { ApiPromise } from '../http/api-promise.js';
import type { Transport } from '../http/transport.js';
import type { RequestOptions } from '../options.js';
import { CallbackSecret } from './callback-secret.js';
import { Deliveries } from './deliveries.js';
import { Endpoints } from './endpoints.js';
import { signTestHeader } from './signature.js';
import { verifyWebhook } from './verify.js';

/** Events that the service sends. Requires the scope `webhook:manage`. */
export class Webhooks {
  readonly endpoints: Endpoints;
  readonly deliveries: Deliveries;
  readonly callbackSecret: CallbackSecret;
  /** The same as `verifyWebhook`, which needs no client. */
  readonly verify = verifyWebhook;
  /** The same as `signTestHeader`, which needs no client. */
  readonly signTestHeader = signTestHeader;

  constructor(private readonly transport: Transport) {
    this.endpoints = new Endpoints(transport);
    this.deliveries = new Deliveries(transport);
    this.callbackSecret = new CallbackSecret(transport);
  }

  /** Every event type, with a JSON Schema and an example. */
  events(options: RequestOptions = {}): ApiPromise<EventType[]> {
    return ApiPromise.of(async (onResponse) => {
      const request = { method: 'GET', path: '/webhooks/events', onResponse } as const;
      return (await this.transport.json<EventTypeList>(request, options)).data;
    });
  }
}
