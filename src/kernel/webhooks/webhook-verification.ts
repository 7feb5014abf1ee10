import { timingSafeEqual } from 'node:crypto';
import { secondsText } from '../time/seconds-text.js';
import { serviceSignature, WEBHOOK_SECRET_PREFIX } from './webhook-signature.js';

/** A delivery as a receiver sees it. */
export interface ReceivedDelivery {
  /** The value of `X-Service-Signature`; undefined when the header is missing. */
  readonly header: string | undefined;
  /** The body exactly as it was received. */
  readonly body: string | Uint8Array;
  readonly secret: string;
  /** The receiver's clock, Unix seconds. */
  readonly nowSeconds: number;
  /** Tolerated difference of the sender's time, before or after; default five minutes. */
  readonly toleranceSeconds?: number;
}

export type VerificationFault =
  | 'missing_header'
  | 'malformed_header'
  | 'stale_timestamp'
  | 'future_timestamp'
  | 'signature_mismatch';

/** Whether the signature is valid; otherwise the reason and a hint. */
export type Verification =
  | { readonly valid: true; readonly timestampSeconds: number }
  | { readonly valid: false; readonly fault: VerificationFault; readonly message: string };

/** Five minutes, as most receivers allow. */
export const DEFAULT_TOLERANCE_SECONDS = 300;

/**
 * Verifies a delivery and explains a failure. The signature is checked before the time, to distinguish a
 * wrong clock from a wrong secret.
 */
export function verifyWebhook(delivery: ReceivedDelivery): Verification {
  const { header, body, secret, nowSeconds } = delivery;
  if (header === undefined || header === '') {
    return fault('missing_header', 'There is no X-Service-Signature header.');
  }
  const parsed = parseHeader(header);
  if (typeof parsed === 'string') return fault('malformed_header', parsed);
  const { timestampSeconds, signatures } = parsed;
  const matches = (key: string) => isAnyEqual(signatures, serviceSignature(key, timestampSeconds, body));
  if (!matches(secret)) return fault('signature_mismatch', mismatchReason(secret, matches));
  const ageSeconds = nowSeconds - timestampSeconds;
  const tolerance = delivery.toleranceSeconds ?? DEFAULT_TOLERANCE_SECONDS;
  if (ageSeconds > tolerance) {
    return fault(
      'stale_timestamp',
      `The signature is valid, but it is ${secondsText(ageSeconds)} old, and the limit is ${secondsText(tolerance)}. The request is a replay, or a clock is wrong.`,
    );
  }
  if (ageSeconds < -tolerance) {
    return fault(
      'future_timestamp',
      `The signature is valid, but its time is ${secondsText(-ageSeconds)} ahead of this clock, and the limit is ${secondsText(tolerance)}. Set the clock.`,
    );
  }
  return { valid: true, timestampSeconds };
}

const fault = (kind: VerificationFault, message: string): Verification => ({
  valid: false,
  fault: kind,
  message,
});

interface ParsedHeader {
  readonly timestampSeconds: number;
  readonly signatures: readonly string[];
}

/** The parts of the header, or what is wrong with it. */
function parseHeader(header: string): ParsedHeader | string {
  const signatures: string[] = [];
  let timestampSeconds: number | undefined;
  for (const part of header.split(',')) {
    const at = part.indexOf('=');
    const name = part.slice(0, Math.max(at, 0)).trim();
    const value = part.slice(at + 1).trim();
    if (name === 't') {
      if (timestampSeconds !== undefined) return 'The header has more than one t=.';
      if (!/^\d{1,12}$/.test(value)) return 'The t= of the header is not a time in Unix seconds.';
      timestampSeconds = Number(value);
    }
    if (name === 'v1') signatures.push(value);
  }
  if (timestampSeconds === undefined) return 'The header has no t= part; it should read t=<time>,v1=<hmac>.';
  if (signatures.length === 0) return 'The header has no v1= part; it should read t=<time>,v1=<hmac>.';
  return { timestampSeconds, signatures };
}

function isAnyEqual(signatures: readonly string[], expected: string): boolean {
  const wanted = Buffer.from(expected);
  let isFound = false;
  for (const signature of signatures) {
    const given = Buffer.from(signature);
    if (given.length === wanted.length && timingSafeEqual(given, wanted)) isFound = true;
  }
  return isFound;
}

/** Detects common mistakes with secrets. */
function mismatchReason(secret: string, matches: (key: string) => boolean): string {
  if (matches(secret.trim()))
    return 'The secret has whitespace around it. Without the whitespace, the signature is valid.';
  if (matches(`${WEBHOOK_SECRET_PREFIX}${secret}`)) {
    return `The secret must be used with its "${WEBHOOK_SECRET_PREFIX}" prefix. With the prefix, the signature is valid.`;
  }
  return 'No v1 signature matches. The secret belongs to another endpoint, or the body is not byte for byte what was sent (for example, it was parsed and serialized again).';
}
