import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { checkSignature } from './signature-check.js';

const SECRET = 'whsec_c2VjcmV0LW9mLXRoZS10ZXN0LWVuZHBvaW50';
const BODY = '{"id":"evt_1","type":"ping","data":{}}';
const SENT_AT = 1_790_000_000;

function sign(secret: string, body: string, at = SENT_AT): string {
  return `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`;
}

function check(changes: Partial<Parameters<typeof checkSignature>[0]>) {
  return checkSignature({
    header: sign(SECRET, BODY),
    body: BODY,
    secret: SECRET,
    nowMs: (SENT_AT + 10) * 1_000,
    ...changes,
  });
}

describe('checkSignature', () => {
  it('accepts a signature of the service, even with the header name before it', async () => {
    expect(await check({})).toEqual({ kind: 'valid', ageSeconds: 10, isStale: false });
    const header = `X-Service-Signature: ${sign(SECRET, BODY)}`;
    expect(await check({ header })).toMatchObject({ kind: 'valid' });
  });

  it('accepts either of two signatures while a secret rotates', async () => {
    const header = `${sign('whsec_old', BODY)},v1=${sign(SECRET, BODY).split('v1=')[1]}`;
    expect(await check({ header })).toMatchObject({ kind: 'valid' });
  });

  it('reports that a valid signature is old', async () => {
    expect(await check({ nowMs: (SENT_AT + 3_600) * 1_000 })).toMatchObject({ kind: 'valid', isStale: true });
  });

  it.each([
    ['an empty secret', { secret: ' ' }, 'secret is missing'],
    ['no timestamp', { header: 'v1=00' }, 'no timestamp'],
    ['a timestamp that is a date', { header: 't=2026-01-01,v1=00' }, 'not a number'],
    ['no v1', { header: `t=${SENT_AT}` }, 'no "v1"'],
    ['a cut signature', { header: sign(SECRET, BODY).slice(0, -4) }, 'not a complete HMAC'],
    ['the prefix left out', { secret: SECRET.slice(6) }, 'was changed before it was used'],
    ['a line break after the body', { body: `${BODY}\n` }, 'extra whitespace'],
    ['a body written again', { body: JSON.stringify(JSON.parse(BODY), null, 2) }, 'serialized again'],
    ['another body', { body: BODY.replace('evt_1', 'evt_2') }, "doesn't match"],
    ['another secret', { secret: 'whsec_another' }, "doesn't match"],
  ])('recognizes %s', async (_name, changes, reason) => {
    expect(await check(changes)).toMatchObject({ kind: 'invalid', reason: expect.stringContaining(reason) });
  });
});
