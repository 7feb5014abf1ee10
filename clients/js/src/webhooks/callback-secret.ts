import type { CallbackSecret as CallbackSecretState, NewCallbackSecret } from '../generated/schema.js';
import type { ApiPromise } from '../http/api-promise.js';
import { newIdempotencyKey } from '../http/idempotency-key.js';
import type { Transport } from '../http/transport.js';
import type { CreateOptions, RequestOptions } from '../options.js';

/** The secret of the account that signs the calls to the `callbackUrl` of jobs; `verifyWebhook` checks them with it. */
export class CallbackSecret {
  constructor(private readonly transport: Transport) {}

  /** Whether there is one; never the secret itself. */
  get(options: RequestOptions = {}): ApiPromise<CallbackSecretState> {
    return this.transport.json({ method: 'GET', path: PATH }, options);
  }

  /** Makes the secret, or replaces it: the old one signs beside it for `overlapSeconds` (default: a day). */
  rotate(
    body: { readonly overlapSeconds?: number } = {},
    options: CreateOptions = {},
  ): ApiPromise<NewCallbackSecret> {
    const idempotencyKey = options.idempotencyKey ?? newIdempotencyKey();
    return this.transport.json({ method: 'POST', path: PATH, body, idempotencyKey }, options);
  }
}

const PATH = '/webhooks/callback-secret';
