import { type WebhookFault, WebhookSignatureError } from '../errors.js';
import { checkedNumber } from '../numbers.js';
import type { WebhookEvent } from './event.js';
import { areEqual, toBytes } from './hmac.js';
import { type RawBody, secretsOf, signatureOf } from './signature.js';

const TOLERANCE_SECONDS = 300;

export interface VerifyOptions {
  /** Maximum difference from the sender's time, in either direction: finite, at least 0. Default: five minutes. */
  readonly toleranceSeconds?: number | undefined;
  /** The current time in Unix seconds, for tests. */
  readonly nowSeconds?: number | undefined;
}

/** The value of the header in the form that frameworks provide. */
export type HeaderValue = string | readonly string[] | null | undefined;

/**
 * Verifies a webhook and returns its event.
 * @param body the raw body, byte for byte
 * @param header the value of `X-Service-Signature`
 * @param secret the endpoint's secret; several during a rotation
 * @throws WebhookSignatureError that says what is wrong; ImageEnhancementError `missing_webhook_secret` for an empty
 *   secret, `invalid_option` for a tolerance or a time that is not a number
 */
export async function verifyWebhook(
  body: RawBody,
  header: HeaderValue,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  const secrets = secretsOf(secret);
  const clock = clockOf(options);
  const { timestamp, signatures } = parseHeader(header);
  const expected = await Promise.all(secrets.map((each) => signatureOf(each, timestamp, body)));
  // Compares every pair, so that the duration reveals nothing.
  const matches = expected.flatMap((wanted) => signatures.map((given) => areEqual(given, wanted)));
  if (!matches.includes(true)) {
    fail(
      'signature_mismatch',
      'No v1 signature matches: the secret is a different one, or the body is not byte for byte what was sent.',
    );
  }
  checkTime(Number(timestamp), clock);
  return parseBody(body);
}

interface ParsedHeader {
  /** As received, because the signature covers it. */
  readonly timestamp: string;
  readonly signatures: readonly string[];
}

function parseHeader(value: HeaderValue): ParsedHeader {
  const header = typeof value === 'string' ? value : (value ?? []).join(',');
  if (header === '') fail('missing_header', 'There is no X-Service-Signature header.');
  const parts = header.split(',').map((part) => {
    const at = part.indexOf('=');
    return { name: part.slice(0, Math.max(at, 0)).trim(), value: part.slice(at + 1).trim() };
  });
  const valuesOf = (wanted: string) => parts.filter(({ name }) => name === wanted).map((part) => part.value);
  const times = valuesOf('t');
  const signatures = valuesOf('v1');
  const [timestamp] = times;
  if (timestamp === undefined || times.length > 1 || !/^\d{1,12}$/.test(timestamp)) {
    fail('malformed_header', 'The header does not have exactly one t=<Unix seconds>.');
  }
  if (signatures.length === 0) fail('malformed_header', 'The header has no v1=<hmac>.');
  return { timestamp, signatures };
}

/** The time settings of the verification. */
interface Clock {
  readonly nowSeconds: number;
  readonly toleranceSeconds: number;
}

/** Checked first, so that a wrong configuration fails with the first webhook. */
function clockOf(options: VerifyOptions): Clock {
  const { nowSeconds, toleranceSeconds } = options;
  return {
    nowSeconds: checkedNumber('nowSeconds', nowSeconds ?? Math.floor(Date.now() / 1000), { isFinite: true }),
    toleranceSeconds: checkedNumber('toleranceSeconds', toleranceSeconds ?? TOLERANCE_SECONDS, {
      min: 0,
      isFinite: true,
    }),
  };
}

function checkTime(timestampSeconds: number, { nowSeconds, toleranceSeconds }: Clock): void {
  const ageSeconds = nowSeconds - timestampSeconds;
  if (ageSeconds > toleranceSeconds) {
    fail(
      'stale_timestamp',
      `The signature is valid, but it was made ${ageSeconds} seconds ago: a replay, or a wrong clock.`,
    );
  }
  if (ageSeconds < -toleranceSeconds) {
    fail(
      'future_timestamp',
      `The signature is valid, but its time is ${-ageSeconds} seconds ahead of this clock. Set the clock.`,
    );
  }
}

function parseBody(body: RawBody): WebhookEvent {
  let event: unknown;
  try {
    event = JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(toBytes(body)));
  } catch {
    fail('malformed_body', 'The signature is valid, but the body is not JSON.');
  }
  const { id, type, data } = (event ?? {}) as Partial<WebhookEvent>;
  if (typeof id !== 'string' || typeof type !== 'string' || typeof data !== 'object' || data === null) {
    fail('malformed_body', 'The signature is valid, but the body is not an event.');
  }
  return event as WebhookEvent;
}

function fail(fault: WebhookFault, message: string): never {
  throw new WebhookSignatureError(fault, message);
}
