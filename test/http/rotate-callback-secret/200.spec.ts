import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Harness, TestAccount } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await sharedHarness();
  account = await harness.createAccount();
});
afterAll(() => harness.close());

const rotate = (json: object, headers: Record<string, string> = {}) =>
  harness.call('POST', '/api/webhooks/callback-secret', { key: account.key, json, headers });

describe('POST /api/webhooks/callback-secret → 200', () => {
  it('returns a new secret; the old one keeps signing for a while', async () => {
    const first = await rotate({});
    expect(first.status).toBe(200);
    const { secret } = first.body as { secret: string };
    expect(secret).toMatch(/^whsec_/);
    const second = (await rotate({ overlapSeconds: 3_600 })).body as {
      secret: string;
      previousSecretExpiresAt: string;
    };
    expect(second.secret).not.toBe(secret);
    const overlapMs = Date.parse(second.previousSecretExpiresAt) - Date.now();
    expect(Math.abs(overlapMs - 3_600_000)).toBeLessThan(60_000);
  });

  it('rotates once for an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'rotate-once' };
    const [first, second] = [await rotate({}, headers), await rotate({}, headers)];
    expect(second.body).toEqual(first.body);
    expect(second.headers['idempotent-replayed']).toBe('true');
  });
});
