import { readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { verifyWebhook } from '../../kernel/webhooks/webhook-verification.js';
import { webhookVectors, type WebhookVector } from './webhook-vectors.js';

const FILE = new URL('../../../clients/vectors/webhooks.json', import.meta.url);
const { vectors } = webhookVectors();
const cases = vectors.map((vector): [string, WebhookVector] => [vector.name, vector]);

describe('clients/vectors/webhooks.json', () => {
  it('matches the output of `npm run docs:sync`', () => {
    expect(JSON.parse(readFileSync(FILE, 'utf8'))).toEqual(webhookVectors());
  });

  it('gives each vector a unique name', () => {
    expect(new Set(vectors.map(({ name }) => name)).size).toBe(vectors.length);
  });

  it.each(cases)('%s', (_name, { headers, body, secret, nowSeconds, valid, fault }) => {
    const result = verifyWebhook({ header: headers['x-service-signature'], body, secret, nowSeconds });
    expect(result.valid).toBe(valid);
    expect(result.valid ? undefined : result.fault).toBe(fault);
  });
});

describe('Standard Webhooks headers of the vectors', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it.each(cases)('%s', (_name, { headers, body, secret, nowSeconds, standardValid }) => {
    vi.setSystemTime(nowSeconds * 1000);
    const verify = () => new Webhook(secret).verify(body, { ...headers }, { jsonParse: false });
    if (standardValid) expect(verify).not.toThrow();
    else expect(verify).toThrow(/No matching signature|Message timestamp/);
  });
});
