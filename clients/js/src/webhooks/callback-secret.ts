import type { CallbackSecret as CallbackSecretState, NewCallbackSecret } from '../generated/schema.js';
import type { ApiPromise } from '../http/api-promise.js';
import { newIdempotencyKey } from '../http/idempotency-key.js';
import type { Transport } from '../http/transport.js';
import type { CreateOptions, RequestOptions } from '../options.js';

/** The account's secret that signs the requests to a job's `callbackUrl`. Pass it to `verifyWebhook` to check them. */
export class CallbackSecret {
  constructor(private readonly transport: Transport) {}

  /** Whether a secret exists. Never returns the secret itself. */
  get(options: RequestOptions = {}): ApiPromise<CallbackSecretState> {
    return this.transport.json({ method: 'GET', path: PATH }, options);
  }

  /** Creates or replaces the secret. The old one also signs for `overlapSeconds` (default: a day). */
  rotate(
    body: { readonly overlapSeconds?: number } = {},
    options: CreateOptions = {},
  ): ApiPromise<NewCallbackSecret> {
    const idempotencyKey = options.idempotencyKey ?? newIdempotencyKey();
    return this.transport.json({ method: 'POST', path: PATH, body, idempotencyKey }, options);
  }
}

const PATH = '/webhooks/callback-secret';
