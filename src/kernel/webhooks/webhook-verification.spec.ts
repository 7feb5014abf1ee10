import { describe, expect, it } from 'vitest';
import { newWebhookSecret, signWebhook } from './webhook-signature.js';
import { verifyWebhook } from './webhook-verification.js';

const NOW = 1_763_600_000;
const BODY = '{"type":"ping"}';
const SECRET = newWebhookSecret();
const headerAt = (timestampSeconds: number, secrets: readonly string[] = [SECRET]) =>
  signWebhook({ id: 'evt_1', timestampSeconds, body: BODY, secrets })['x-service-signature'];
const verify = (given: Partial<Parameters<typeof verifyWebhook>[0]>) =>
  verifyWebhook({ header: headerAt(NOW), body: BODY, secret: SECRET, nowSeconds: NOW, ...given });

describe('verifyWebhook', () => {
  it('accepts a valid signature', () => {
    expect(verify({})).toEqual({ valid: true, timestampSeconds: NOW });
    expect(verify({ body: Buffer.from(BODY) })).toEqual({ valid: true, timestampSeconds: NOW });
  });

  it('accepts a header if any of its signatures is valid, whatever else it contains', () => {
    const other = newWebhookSecret();
    expect(verify({ header: headerAt(NOW, [other, SECRET]) }).valid).toBe(true);
    expect(verify({ header: `v0=abc, ${headerAt(NOW).replace(',', ' , ')},v2=def` }).valid).toBe(true);
  });

  it.each([
    [NOW - 300, undefined, true],
    [NOW - 301, undefined, 'stale_timestamp'],
    [NOW + 300, undefined, true],
    [NOW + 301, undefined, 'future_timestamp'],
    [NOW - 600, 600, true],
    [NOW - 1, 0, 'stale_timestamp'],
  ])('time %d with a tolerance of %s: %s', (time, toleranceSeconds, expected) => {
    const result = verify({
      header: headerAt(time),
      ...(toleranceSeconds === undefined ? {} : { toleranceSeconds }),
    });
    expect(result.valid || result.fault).toBe(expected);
  });

  it.each([
    [undefined, 'missing_header', /no X-Service-Signature/],
    ['', 'missing_header', /no X-Service-Signature/],
    ['nonsense', 'malformed_header', /no t=/],
    ['v1=abc', 'malformed_header', /no t=/],
    [`t=${NOW}`, 'malformed_header', /no v1=/],
    ['t=soon,v1=abc', 'malformed_header', /Unix seconds/],
    ['t=-1,v1=abc', 'malformed_header', /Unix seconds/],
    [`t=${NOW},t=${NOW},v1=abc`, 'malformed_header', /more than one t=/],
    [`t=${NOW},v1=abc`, 'signature_mismatch', /No v1 signature matches/],
    [`t=${NOW},v1=`, 'signature_mismatch', /No v1 signature matches/],
    [
      headerAt(NOW).toUpperCase().replace('T=', 't=').replace('V1=', 'v1='),
      'signature_mismatch',
      /No v1 signature matches/,
    ],
    [headerAt(NOW).replace(`t=${NOW}`, `t=${NOW + 1}`), 'signature_mismatch', /No v1 signature matches/],
  ])('%s: %s', (header, fault, message) => {
    const result = verify({ header });
    expect(result).toMatchObject({ valid: false, fault });
    expect(result.valid ? '' : result.message).toMatch(message);
  });

  it('recognizes common mistakes with a secret', () => {
    expect(verify({ secret: `${SECRET}\n` })).toMatchObject({
      message: expect.stringMatching(/whitespace/),
    });
    expect(verify({ secret: SECRET.slice(6) })).toMatchObject({ message: expect.stringMatching(/"whsec_"/) });
    expect(verify({ secret: newWebhookSecret() })).toMatchObject({ fault: 'signature_mismatch' });
  });

  it('detects a single extra byte', () => {
    expect(verify({ body: `${BODY}\n` })).toMatchObject({ fault: 'signature_mismatch' });
  });
});
