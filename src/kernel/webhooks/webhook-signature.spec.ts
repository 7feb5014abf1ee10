import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { newWebhookSecret, signWebhook } from './webhook-signature.js';

const BODY = '{"id":"evt_1","type":"ping","data":{"text":"Grüße 🌍"}}';
const delivery = (secrets: readonly string[], body: string | Uint8Array = BODY) => ({
  id: 'evt_1',
  timestampSeconds: Math.floor(Date.now() / 1000),
  body,
  secrets,
});

/**
 * Written from the specification's text alone: "split the header on commas, take the value after `=` in each
 * part as t and v1, recompute the HMAC" of `<timestamp>.<raw-body>`, "hex-encoded, keyed with the secret".
 */
function holds(header: string, rawBody: string, signingSecret: string): boolean {
  const parts = header.split(',').map((part) => part.split('='));
  const t = parts.find(([name]) => name === 't')![1]!;
  const hmac = createHmac('sha256', signingSecret).update(`${t}.${rawBody}`).digest('hex');
  return parts.some(([name, value]) => name === 'v1' && value === hmac);
}

describe('signWebhook', () => {
  it('satisfies a verifier written from the specification', () => {
    const secret = newWebhookSecret();
    const header = signWebhook(delivery([secret]))['x-service-signature'];
    expect(header).toMatch(/^t=\d{10},v1=[0-9a-f]{64}$/);
    expect(holds(header, BODY, secret)).toBe(true);
    expect(holds(header, `${BODY} `, secret)).toBe(false);
    expect(holds(header, BODY, newWebhookSecret())).toBe(false);
  });

  it('satisfies the standardwebhooks package, with any secret', () => {
    for (const secret of Array.from({ length: 20 }, newWebhookSecret)) {
      const headers = { ...signWebhook(delivery([secret])) };
      expect(new Webhook(secret).verify(BODY, headers)).toEqual(JSON.parse(BODY));
      expect(() => new Webhook(secret).verify(`${BODY} `, headers)).toThrow(/No matching signature/);
      expect(() => new Webhook(newWebhookSecret()).verify(BODY, headers)).toThrow(/No matching signature/);
    }
  });

  it('satisfies verifiers with the old or the new secret during a rotation, in both forms', () => {
    const secrets = [newWebhookSecret(), newWebhookSecret()];
    const headers = { ...signWebhook(delivery(secrets)) };
    for (const secret of secrets) {
      expect(holds(headers['x-service-signature'], BODY, secret)).toBe(true);
      expect(() => new Webhook(secret).verify(BODY, headers)).not.toThrow();
    }
    expect(headers['webhook-signature'].split(' ')).toHaveLength(2);
  });

  it('signs bytes and text alike', () => {
    const secret = newWebhookSecret();
    const text = delivery([secret]);
    expect(signWebhook({ ...text, body: new TextEncoder().encode(BODY) })).toEqual(signWebhook(text));
  });

  it('refuses a missing or damaged secret without repeating it', () => {
    expect(() => signWebhook(delivery([]))).toThrow(/without a secret/);
    for (const secret of ['whsec_dG9vIHNob3J0', newWebhookSecret().slice(6)]) {
      expect(() => signWebhook(delivery([secret]))).toThrow(/damaged/);
      expect(() => signWebhook(delivery([secret]))).not.toThrow(secret.slice(6));
    }
  });
});

describe('newWebhookSecret', () => {
  it('returns 32 random bytes after the prefix', () => {
    const secrets = Array.from({ length: 50 }, newWebhookSecret);
    expect(new Set(secrets).size).toBe(50);
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
    }
  });
});
