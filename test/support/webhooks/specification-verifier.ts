import { createHmac, timingSafeEqual } from 'node:crypto';

/** Verifies `X-Service-Signature`, written only from the text of the specification. */
export function verifySignature(header: string, rawBody: string, secret: string): boolean {
  const parts = header.split(',').map((part) => part.split('='));
  const t = parts.find(([name]) => name === 't')?.[1];
  const expected = createHmac('sha256', secret).update(`${t}.${rawBody}`).digest('hex');
  return parts
    .filter(([name]) => name === 'v1')
    .some(
      ([, v1 = '']) =>
        v1.length === expected.length && timingSafeEqual(Buffer.from(v1), Buffer.from(expected)),
    );
}
