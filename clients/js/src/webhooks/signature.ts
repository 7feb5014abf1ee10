import { ImageEnhancementError } from '../errors.js';
import { hmacSha256, joinBytes, toBytes, toHex } from './hmac.js';

/** A body exactly as received or sent, never parsed and serialized again. */
export type RawBody = string | ArrayBuffer | ArrayBufferView;

/** @throws ImageEnhancementError `missing_webhook_secret` for a missing or empty one, with which anyone could sign */
export function secretsOf(secret: string | readonly string[]): readonly string[] {
  const secrets: readonly unknown[] = Array.isArray(secret) ? secret : [secret];
  // Also covers callers without types that pass an unset variable.
  const areGiven = secrets.every((each) => typeof each === 'string' && each.trim() !== '');
  if (secrets.length > 0 && areGiven) return secrets as readonly string[];
  throw new ImageEnhancementError(
    'missing_webhook_secret',
    "The webhook secret is empty. Give the endpoint's secret (whsec_…), shown once when it is created.",
  );
}

/** The specification's signature: HMAC-SHA256 of `<timestamp>.<raw body>` in hex, keyed with the secret's text. */
export async function signatureOf(
  secret: string,
  timestamp: number | string,
  body: RawBody,
): Promise<string> {
  const content = joinBytes(toBytes(`${timestamp}.`), toBytes(body));
  return toHex(await hmacSha256(toBytes(secret), content));
}

/**
 * Creates a value of `X-Service-Signature` like the service, for tests of a receiver.
 * @param timestampSeconds default: now
 */
export async function signTestHeader(
  body: RawBody,
  secret: string | readonly string[],
  options: { readonly timestampSeconds?: number | undefined } = {},
): Promise<string> {
  const timestamp = options.timestampSeconds ?? Math.floor(Date.now() / 1000);
  const secrets = secretsOf(secret);
  const parts = await Promise.all(
    secrets.map(async (each) => `v1=${await signatureOf(each, timestamp, body)}`),
  );
  return [`t=${timestamp}`, ...parts].join(',');
}
