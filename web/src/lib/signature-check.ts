import { t } from '@lingui/core/macro';
const SECRET_PREFIX = 'whsec_';
const TOLERANCE_SECONDS = 300;
const HEX_HMAC_LENGTH = 64;

export interface SignatureInput {
  /** The value of `X-Service-Signature`, with or without the header's name. */
  readonly header: string;
  /** The raw body, exactly as received. */
  readonly body: string;
  /** The signing secret, exactly as it was shown. */
  readonly secret: string;
  readonly nowMs: number;
}

/** The result of the check. `valid` concerns the signature. An old timestamp is reported separately. */
export type SignatureFinding =
  | { readonly kind: 'valid'; readonly ageSeconds: number; readonly isStale: boolean }
  | { readonly kind: 'invalid'; readonly reason: string; readonly advice: string };

/**
 * Checks a webhook signature, `t=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">`, and says what is wrong with
 * it. Nothing leaves the browser.
 */
export async function checkSignature(input: SignatureInput): Promise<SignatureFinding> {
  if (!('subtle' in crypto))
    return invalid(
      t`This browser can verify signatures only over HTTPS or on localhost.`,
      t`Open the dashboard over HTTPS or on localhost.`,
    );
  const secret = input.secret.trim();
  if (secret === '') return invalid(t`The secret is missing.`, t`Paste the signing secret of the endpoint.`);
  const parts = readHeader(input.header);
  if (parts.timestamp === null)
    return invalid(
      t`The signature has no timestamp.`,
      t`Paste the complete X-Service-Signature value, such as "t=1700000000,v1=5f2c…".`,
    );
  if (!/^\d+$/.test(parts.timestamp))
    return invalid(t`The timestamp is not a number.`, t`"t" is the time in whole Unix seconds.`);
  if (parts.signatures.length === 0)
    return invalid(t`The signature has no "v1" part.`, t`Paste the whole value of X-Service-Signature.`);
  const { timestamp } = parts;
  const wellFormed = parts.signatures.filter((each) => /^[0-9a-f]+$/i.test(each));
  if (wellFormed.every((each) => each.length !== HEX_HMAC_LENGTH))
    return invalid(
      t`The "v1" part is not a complete HMAC-SHA256.`,
      t`It has ${HEX_HMAC_LENGTH} hexadecimal digits; part of it may be missing.`,
    );
  const matches = async (key: string, body: string) =>
    includesHmac(wellFormed, await hmacHex(key, `${timestamp}.${body}`));
  if (await matches(secret, input.body)) {
    const ageSeconds = Math.round(input.nowMs / 1_000 - Number(timestamp));
    return { kind: 'valid', ageSeconds, isStale: Math.abs(ageSeconds) > TOLERANCE_SECONDS };
  }
  return explainMismatch(secret, input.body, matches);
}

/** Tries common mistakes, and returns the one that explains the mismatch. */
async function explainMismatch(
  secret: string,
  body: string,
  matches: (key: string, body: string) => Promise<boolean>,
): Promise<SignatureFinding> {
  const bare = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret;
  for (const key of [bare, `${SECRET_PREFIX}${bare}`]) {
    if (key !== secret && (await matches(key, body)))
      return invalid(
        t`The secret was changed before it was used.`,
        t`Use the complete secret, including "${SECRET_PREFIX}", as the HMAC key.`,
      );
  }
  for (const { text, reason } of bodyVariants(body)) {
    if (text !== body && (await matches(secret, text)))
      return invalid(reason, t`Verify the raw bytes of the request, before anything parses or changes them.`);
  }
  return invalid(
    t`The signature doesn't match this body and secret.`,
    t`Check that you used this endpoint's current secret and the complete, unmodified body.`,
  );
}

function bodyVariants(body: string): readonly { text: string; reason: string }[] {
  const variants = [
    { text: body.trim(), reason: t`The body has extra whitespace at the start or end.` },
    { text: body.replaceAll('\r\n', '\n'), reason: t`The line breaks in the body were changed.` },
  ];
  try {
    const compact = JSON.stringify(JSON.parse(body));
    variants.push({
      text: compact,
      reason: t`The body was parsed and serialized again with different whitespace.`,
    });
  } catch {
    // The body is not JSON, so it cannot have been reformatted.
  }
  return variants;
}

function readHeader(header: string): { timestamp: string | null; signatures: readonly string[] } {
  const value = header.trim().replace(/^x-service-signature\s*:\s*/i, '');
  const pairs = value.split(',').map((part) => part.trim().split('=', 2));
  return {
    timestamp: pairs.find(([name]) => name === 't')?.[1]?.trim() ?? null,
    signatures: pairs.filter(([name]) => name === 'v1').map(([, text]) => text?.trim() ?? ''),
  };
}

async function hmacHex(secret: string, content: string): Promise<string> {
  const encoder = new TextEncoder();
  const key = await crypto.subtle.importKey(
    'raw',
    encoder.encode(secret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  );
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(content)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A constant-time comparison is unnecessary: in the reader's own browser, nobody can measure the time. */
function includesHmac(signatures: readonly string[], expected: string): boolean {
  return signatures.some((each) => each.toLowerCase() === expected);
}

function invalid(reason: string, advice: string): SignatureFinding {
  return { kind: 'invalid', reason, advice };
}
