import { createHmac, randomBytes } from 'node:crypto';

/** Prefix of every signing secret, so that a leaked one is recognized (Standard Webhooks). */
export const WEBHOOK_SECRET_PREFIX = 'whsec_';

/** What a delivery attempt signs. */
export interface SignedDelivery {
  /** Id of the event, the same for all attempts. */
  readonly id: string;
  /** Time of this attempt, Unix seconds. */
  readonly timestampSeconds: number;
  /** The body exactly as it is sent. */
  readonly body: string | Uint8Array;
  /** The valid secrets, newest first; several during a rotation. */
  readonly secrets: readonly string[];
}

/** The signature headers: those of the specification and of Standard Webhooks. */
export interface WebhookSignatureHeaders {
  /** `t=<Unix seconds>,v1=<hex>`, one `v1` for each secret. */
  readonly 'x-service-signature': string;
  readonly 'webhook-id': string;
  /** Unix seconds. */
  readonly 'webhook-timestamp': string;
  /** `v1,<base64>` for each secret, separated by spaces. */
  readonly 'webhook-signature': string;
}

/** A new secret: the prefix and 32 random bytes in base64. */
export function newWebhookSecret(): string {
  return `${WEBHOOK_SECRET_PREFIX}${randomBytes(32).toString('base64')}`;
}

/**
 * Signs an attempt in both formats, so that a receiver can verify either.
 * @throws Error when there is no secret, or one with another format than that of `newWebhookSecret`
 */
export function signWebhook(delivery: SignedDelivery): WebhookSignatureHeaders {
  const { id, timestampSeconds, body, secrets } = delivery;
  if (secrets.length === 0) throw new Error('A webhook cannot be signed without a secret.');
  const own = secrets.map((secret) => `v1=${serviceSignature(secret, timestampSeconds, body)}`);
  const standard = secrets.map((secret) => `v1,${standardSignature(secret, id, timestampSeconds, body)}`);
  return {
    'x-service-signature': [`t=${timestampSeconds}`, ...own].join(','),
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': standard.join(' '),
  };
}

/**
 * The signature of the specification: HMAC-SHA256 of `<timestamp>.<raw body>` in hex. The key is the complete
 * text of the secret, including the prefix.
 */
export function serviceSignature(
  secret: string,
  timestampSeconds: number,
  body: string | Uint8Array,
): string {
  return createHmac('sha256', secret).update(`${timestampSeconds}.`).update(body).digest('hex');
}

/**
 * Standard Webhooks: HMAC-SHA256 of `<id>.<timestamp>.<raw body>` in base64, keyed with the decoded bytes.
 */
function standardSignature(
  secret: string,
  id: string,
  timestampSeconds: number,
  body: string | Uint8Array,
): string {
  const encoded = secret.slice(WEBHOOK_SECRET_PREFIX.length);
  const key = Buffer.from(encoded, 'base64');
  if (!secret.startsWith(WEBHOOK_SECRET_PREFIX) || key.length < 24) {
    // The secret must not appear in an error that is logged.
    throw new Error('A webhook secret is damaged: it is not "whsec_" and at least 24 bytes in base64.');
  }
  return createHmac('sha256', key).update(`${id}.${timestampSeconds}.`).update(body).digest('base64');
}
