import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DeliveryRequestDto } from '../../../src/webhooks/deliveries/session-delivery.dto.js';
import { DashboardClient } from '../../support/app/dashboard-client.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';

let harness: Harness;
let account: TestAccount;
let browser: DashboardClient;
beforeAll(async () => {
  harness = await startHarness({
    env: { WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8', WEBHOOK_ALLOW_HTTP: 'true' },
  });
  account = await harness.createAccount();
  browser = new DashboardClient(harness);
  await browser.signInto(account);
});
afterAll(() => harness.close());

describe('webhooks in the dashboard', () => {
  it('go through their whole life cycle as in the public API', async () => {
    const json = { url: 'http://127.0.0.1:9009/hook', events: ['ping'], description: 'Nobody listens' };
    const made = await browser.call('POST', '/webhooks/endpoints', { json });
    expect(made.status, made.text).toBe(201);
    const { id, secret } = made.body as { id: string; secret: string };
    expect(secret).toMatch(/^whsec_/);
    const path = `/webhooks/endpoints/${id}`;
    expect((await browser.call('GET', path)).text).not.toContain(secret);
    expect((await browser.call('GET', '/webhooks/endpoints')).body).toMatchObject({
      data: [{ id, ...json }],
    });

    const ping = await browser.call('POST', `${path}/ping`);
    expect(ping.status, ping.text).toBe(202);
    const delivery = ping.body as { id: string };
    expect((await browser.call('GET', `/webhooks/deliveries?endpointId=${id}`)).body).toMatchObject({
      data: [{ id: delivery.id, eventType: 'ping', status: 'pending' }],
    });
    expect((await browser.call('GET', `/webhooks/deliveries/${delivery.id}`)).body).toMatchObject({
      endpointId: id,
    });
    expect((await browser.call('POST', `/webhooks/deliveries/${delivery.id}/redeliver`)).status).toBe(202);

    const rotated = await browser.call('POST', `${path}/rotate-secret`, { json: { overlapSeconds: 60 } });
    expect((rotated.body as { secret: string }).secret).not.toBe(secret);
    const changed = await browser.call('PATCH', path, { json: { description: 'Changed' } });
    expect(changed.body).toMatchObject({ description: 'Changed' });
    const since = new Date(Date.now() - 60_000).toISOString();
    expect((await browser.call('POST', `${path}/recover`, { json: { since } })).status).toBe(202);
    expect((await browser.call('DELETE', path)).status).toBe(204);
    expect((await browser.call('GET', path)).status).toBe(404);
  });

  it('show the request of a delivery as it is sent, without a signature', async () => {
    const { id } = await harness.newEndpoint(account);
    const sent = (await harness.newDelivery(account, id)) as { id: string; eventId: string };
    const [event] = await harness.rows<{ id: string; type: string; created_at: Date; data: object }>(
      'SELECT id, type, created_at, data FROM events WHERE id = $1',
      [sent.eventId],
    );
    const path = `/webhooks/deliveries/${sent.id}`;
    const { request } = (await browser.call('GET', path)).body as { request: DeliveryRequestDto };
    expect(request.headers).toEqual({ 'content-type': 'application/json', 'webhook-id': sent.eventId });
    expect(JSON.parse(request.body)).toEqual({
      id: sent.eventId,
      livemode: true,
      type: 'ping',
      createdAt: event!.created_at.toISOString(),
      data: event!.data,
    });

    const stranger = new DashboardClient(harness);
    await stranger.newPerson();
    expect((await stranger.call('GET', path)).status).toBe(404);
    const listed = await harness.call('GET', `/api${path}`, { key: account.key });
    expect(listed.status).toBe(200);
    expect(listed.body).not.toHaveProperty('request');
  });

  it('list the event types of the public API', async () => {
    const { key } = await harness.createKey(account, { scopes: ['webhook:manage'] });
    const role = (since: string) =>
      harness.rows(`UPDATE accounts SET operator_since = ${since} WHERE id = $1`, [account.id]);
    // Operators have more types.
    for (const since of ['now()', 'NULL']) {
      await role(since);
      const there = await harness.call('GET', '/api/webhooks/events', { key });
      expect((await browser.call('GET', '/webhooks/events')).body).toEqual(there.body);
    }
  });

  it('of other accounts are not found', async () => {
    const { id } = await harness.newEndpoint(await harness.createAccount());
    for (const [method, path] of [
      ['GET', id],
      ['DELETE', id],
      ['POST', `${id}/ping`],
    ] as const)
      expect((await browser.call(method, `/webhooks/endpoints/${path}`)).status).toBe(404);
  });
});
