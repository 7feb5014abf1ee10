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

const rotate = (id: string, json?: object, headers: Record<string, string> = {}) =>
  harness.call('POST', `/api/webhooks/endpoints/${id}/rotate-secret`, {
    key: account.key,
    headers,
    ...(json === undefined ? {} : { json }),
  });

const expiryIn = (body: unknown): number =>
  Math.round(
    (Date.parse((body as { previousSecretExpiresAt: string }).previousSecretExpiresAt) - Date.now()) / 1_000,
  );

describe('POST /api/webhooks/endpoints/:id/rotate-secret → 200', () => {
  it('returns a new secret; the old one stays valid for a day unless specified otherwise', async () => {
    const { id, secret } = await harness.newEndpoint(account);
    const first = await rotate(id);
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({ id, secret: expect.stringMatching(/^whsec_/) as unknown });
    expect((first.body as { secret: string }).secret).not.toBe(secret);
    expect(Math.abs(expiryIn(first.body) - 86_400)).toBeLessThan(60);
    const second = await rotate(id, { overlapSeconds: 604_800 });
    expect(Math.abs(expiryIn(second.body) - 604_800)).toBeLessThan(60);
    const { body } = await harness.call('GET', `/api/webhooks/endpoints/${id}`, { key: account.key });
    expect(body).not.toHaveProperty('secret');
  });

  it('ends the old secret at once when the overlap is zero', async () => {
    const { id } = await harness.newEndpoint(account);
    const { body } = await rotate(id, { overlapSeconds: 0 });
    expect(body).toMatchObject({ previousSecretExpiresAt: null });
  });

  it('rotates once for an Idempotency-Key', async () => {
    const { id } = await harness.newEndpoint(account);
    const header = { 'idempotency-key': 'rotate-once' };
    const [first, second] = [await rotate(id, {}, header), await rotate(id, {}, header)];
    expect(second.body).toEqual(first.body);
    expect(second.headers['idempotent-replayed']).toBe('true');
  });

  it('keeps signing with the latest five secrets, however often it is rotated', async () => {
    const { id } = await harness.newEndpoint(account);
    for (let index = 0; index < 8; index += 1) await rotate(id);
    const [row] = await harness.rows<{ count: number }>(
      'SELECT jsonb_array_length(previous_secrets) AS count FROM webhook_endpoints WHERE id = $1',
      [id],
    );
    expect(row!.count).toBe(4);
  });
});
