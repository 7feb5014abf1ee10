import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { signTestHeader, verifyWebhook, WebhookSignatureError } from '../../../../clients/js/src/exports.js';
import { verifyWebhook as verifyOnServer } from '../../../../src/kernel/webhooks/webhook-verification.js';
import type { WebhookVector } from '../../../../src/app/docs/webhook-vectors.js';

const FILE = new URL('../../../../clients/vectors/webhooks.json', import.meta.url);
const { vectors, toleranceSeconds } = JSON.parse(readFileSync(FILE, 'utf8')) as {
  vectors: WebhookVector[];
  toleranceSeconds: number;
};
const cases = vectors.map((vector): [string, WebhookVector] => [vector.name, vector]);
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw0+r1l3cH3p8=';
const BODY = '{"id":"evt_1","type":"ping","createdAt":"2026-11-21T08:00:00.000Z","data":{"text":"Grüße 🌍"}}';

/** How a verification ends. */
async function outcomeOf(verification: Promise<unknown>): Promise<string> {
  try {
    await verification;
    return 'valid';
  } catch (error) {
    if (!(error instanceof WebhookSignatureError)) throw error;
    return error.code;
  }
}

describe('verifyWebhook', () => {
  it.each(cases)('vector: %s', async (_name, { body, headers, secret, nowSeconds, valid, fault }) => {
    const header = headers['x-service-signature'];
    const outcome = await outcomeOf(verifyWebhook(body, header, secret, { nowSeconds }));
    // The vectors cover signatures only, and a body may be empty.
    const expected = valid ? (body === '' ? 'malformed_body' : 'valid') : fault;
    expect(outcome).toBe(expected);
    const inBytes = verifyWebhook(new TextEncoder().encode(body), header, secret, {
      nowSeconds,
      toleranceSeconds,
    });
    expect(await outcomeOf(inBytes)).toBe(expected);
  });

  it('returns the event for every form of body and header', async () => {
    const header = await signTestHeader(BODY, SECRET);
    const bytes = new TextEncoder().encode(BODY);
    const padded = new Uint8Array([0, 0, ...bytes, 0]).subarray(2, -1);
    for (const body of [BODY, bytes, bytes.buffer, Buffer.from(BODY), padded, new DataView(bytes.buffer)]) {
      expect(await verifyWebhook(body, header, SECRET)).toEqual(JSON.parse(BODY));
    }
    expect(await verifyWebhook(BODY, [header], SECRET)).toMatchObject({ type: 'ping' });
    for (const none of [undefined, null, '', []]) {
      expect(await outcomeOf(verifyWebhook(BODY, none, SECRET))).toBe('missing_header');
    }
  });

  it('accepts several secrets of a receiver', async () => {
    const header = await signTestHeader(BODY, 'whsec_new');
    expect(await outcomeOf(verifyWebhook(BODY, header, ['whsec_old', 'whsec_new']))).toBe('valid');
    expect(await outcomeOf(verifyWebhook(BODY, header, ['whsec_old', 'whsec_older']))).toBe(
      'signature_mismatch',
    );
    await expect(verifyWebhook(BODY, header, [])).rejects.toMatchObject({ code: 'missing_webhook_secret' });
  });

  it.each(['', ' \n', undefined])('rejects the secret %j, with which anybody could sign', async (secret) => {
    const header = `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}`;
    for (const given of [secret, ['whsec_x', secret]] as string[]) {
      await expect(verifyWebhook(BODY, header, given)).rejects.toMatchObject({
        code: 'missing_webhook_secret',
        message: expect.stringMatching(/^The webhook secret is empty\. Give/),
      });
    }
    await expect(signTestHeader(BODY, '')).rejects.toMatchObject({ code: 'missing_webhook_secret' });
  });

  it('allows exactly the given tolerance', async () => {
    const header = await signTestHeader(BODY, SECRET, { timestampSeconds: 1000 });
    const at = (nowSeconds: number, tolerance: number) =>
      outcomeOf(verifyWebhook(BODY, header, SECRET, { nowSeconds, toleranceSeconds: tolerance }));
    expect(await at(1010, 10)).toBe('valid');
    expect(await at(1011, 10)).toBe('stale_timestamp');
    expect(await at(989, 10)).toBe('future_timestamp');
  });

  it('reports a genuine body that is not JSON', async () => {
    const header = await signTestHeader('hello', SECRET);
    expect(await outcomeOf(verifyWebhook('hello', header, SECRET))).toBe('malformed_body');
  });
});

describe('signTestHeader', () => {
  it('signs as the service does', async () => {
    for (const { body, headers, secret, nowSeconds, valid, name } of vectors) {
      if (!valid || name !== 'one signature') continue;
      expect(await signTestHeader(body, secret, { timestampSeconds: nowSeconds })).toBe(
        headers['x-service-signature'],
      );
    }
    const header = await signTestHeader(Buffer.from(BODY), [SECRET, 'whsec_other']);
    const nowSeconds = Math.floor(Date.now() / 1000);
    for (const secret of [SECRET, 'whsec_other']) {
      expect(verifyOnServer({ header, body: BODY, secret, nowSeconds })).toMatchObject({ valid: true });
    }
  });

  it.each(['enhancement.failed', 'batch.item.failed'])('%s has the error of its job', async (type) => {
    const job = { id: 'job_1', status: 'failed', error: { code: 'canceled', message: '', retryable: false } };
    const body = JSON.stringify({ id: 'evt_1', type, createdAt: '2026-11-21T08:00:00.000Z', data: { job } });
    const event = await verifyWebhook(body, await signTestHeader(body, SECRET), SECRET);
    if (event.type !== 'enhancement.failed' && event.type !== 'batch.item.failed')
      throw new Error(event.type);
    // Without a check for null, in strict TypeScript, too.
    expect(event.data.job.error.code).toBe('canceled');
  });
});
