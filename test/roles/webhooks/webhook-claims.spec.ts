import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../../src/infra/database/database.js';
import { newId } from '../../../src/kernel/ids.js';
import { BacklogRepository } from '../../../src/webhooks/dispatch/backlog.repository.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';
import { finish, LEASE_MS, SILENCE, TAKEN, WebhookHands } from '../../support/webhooks/webhook-hands.js';

let harness: Harness;
let account: TestAccount;
let hands: WebhookHands;
beforeAll(async () => {
  harness = await startHarness();
  hands = new WebhookHands(harness);
});
beforeEach(async () => {
  await harness.rows('DELETE FROM accounts');
  account = await harness.createAccount();
});
afterAll(() => harness?.close());

describe('fan-out', () => {
  it('run concurrently writes each delivery once, for the endpoints that chose the type', async () => {
    const [all, some, off] = [
      await harness.newEndpoint(account),
      await harness.newEndpoint(account, { events: ['image.uploaded', 'ping'] }),
      await harness.newEndpoint(account),
    ];
    await harness.newEndpoint(account, { events: ['enhancement.failed'] });
    await harness.newEndpoint(await harness.createAccount());
    await harness.call('PATCH', `/api/webhooks/endpoints/${off.id}`, {
      key: account.key,
      json: { enabled: false },
    });
    const ids = [...(await hands.emit(account, 150)), ...(await hands.emit(account, 50, 'job.completed'))];
    const rounds = await Promise.all(Array.from({ length: 8 }, () => hands.fanOut.fanOut(40)));
    expect(rounds.reduce((sum, { events }) => sum + events, 0)).toBeLessThanOrEqual(200);
    for (let left = 1; left > 0;) left = (await hands.fanOut.fanOut(100)).events;
    const counts = await harness.rows<{ endpoint_id: string; count: number }>(
      'SELECT endpoint_id, count(DISTINCT event_id)::int AS count FROM webhook_deliveries GROUP BY endpoint_id',
    );
    expect(Object.fromEntries(counts.map((row) => [row.endpoint_id, row.count]))).toEqual({
      [all.id]: 200,
      [some.id]: 150,
    });
    const marked = await harness.rows(
      'SELECT 1 FROM events WHERE id = ANY ($1) AND dispatched_at IS NOT NULL',
      [ids],
    );
    expect(marked).toHaveLength(200);
  });

  it('repeated for an event writes nothing twice', async () => {
    const endpointId = await hands.withDue(account, 5);
    await harness.rows('UPDATE events SET dispatched_at = NULL');
    expect(await hands.fanOut.fanOut(100)).toEqual({
      events: 5,
      endpoints: [],
      traceparents: expect.any(Array),
    });
    const rows = await harness.rows('SELECT 1 FROM webhook_deliveries WHERE endpoint_id = $1', [endpointId]);
    expect(rows).toHaveLength(5);
  });
});

describe('the backlog', () => {
  const backlog = () => new BacklogRepository(harness.app.get(Database)).read();

  /** Changes an endpoint with two deliveries that have been due for an hour. */
  async function lateEndpoint(change: string): Promise<void> {
    const id = await hands.withDue(account, 2);
    await harness.rows(`UPDATE webhook_deliveries SET due_at = now() - interval '1 hour'`);
    await harness.rows(`UPDATE webhook_endpoints SET ${change} WHERE id = $1`, [id]);
  }

  it('is late by its oldest due delivery', async () => {
    expect(await backlog()).toEqual({ events: 0, pending: 0, due: 0, oldestDueSeconds: 0 });
    await lateEndpoint(`last_failure_at = now() - interval '1 day'`);
    expect(await backlog()).toEqual({
      events: 0,
      pending: 2,
      due: 2,
      oldestDueSeconds: expect.closeTo(3_600, -2),
    });
  });

  it.each([
    ['fails', `first_failure_at = now() - interval '2 hours', last_failure_at = now()`],
    ['asked for a pause', `paused_until = now() + interval '1 hour'`],
    ['is disabled', `enabled = false, disabled_reason = 'manual'`],
  ])('is not late because of an endpoint that %s', async (_, change) => {
    await lateEndpoint(change);
    expect(await backlog()).toMatchObject({ pending: 2, due: 2, oldestDueSeconds: 0 });
  });

  it.each([
    ['after a pause', `paused_until = now() - interval '1 minute'`],
    ['after failures', `last_failure_at = now() - interval '1 minute'`],
  ])('counts the time since the endpoint takes deliveries again, %s', async (_, change) => {
    await lateEndpoint(change);
    expect(await backlog()).toMatchObject({ oldestDueSeconds: expect.closeTo(60, -2) });
  });
});

describe('a claim', () => {
  it('is held by one of many concurrent callers, and is limited to the requested size', async () => {
    const endpointId = await hands.withDue(account, 100);
    const taken = await Promise.all(Array.from({ length: 10 }, () => hands.claim(endpointId, 7)));
    const ids = taken.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const rows of taken) expect(rows.length).toBeLessThanOrEqual(7);
    for (let more = 1; more > 0;) {
      const rows = await hands.claim(endpointId, 50);
      ids.push(...rows.map(({ id }) => id));
      more = rows.length;
    }
    expect(ids).toHaveLength(100);
    expect(new Set(ids).size).toBe(100);
  });

  it('can be taken over once it expires, and its former holder can record nothing', async () => {
    const endpointId = await hands.withDue(account, 1);
    const [first] = await hands.claim(endpointId, 1, 0);
    const [second] = await hands.claim(endpointId, 1);
    expect(second).toMatchObject({ id: first!.id, claim: first!.claim + 1 });
    expect((await hands.record([finish(first!, SILENCE)])).written).toBe(0);
    expect(await hands.delivery(first!.id)).toMatchObject({
      status: 'pending',
      claimed: true,
      attempt_count: 0,
    });
    expect((await hands.record([finish(second!, TAKEN)])).written).toBe(1);
    expect((await hands.record([finish(second!, TAKEN)])).written, 'once').toBe(0);
    expect(await hands.delivery(first!.id)).toMatchObject({
      status: 'succeeded',
      attempt_count: 1,
      claimed: false,
    });
  });

  it('is due at once when it is released', async () => {
    const endpointId = await hands.withDue(account, 1);
    const [row] = await hands.claim(endpointId, 1);
    expect(await hands.claim(endpointId, 1)).toEqual([]);
    await hands.claims.release([{ id: row!.id, claim: row!.claim - 1 }]);
    expect(await hands.claim(endpointId, 1), 'not by who does not hold it').toEqual([]);
    await hands.claims.release([row!]);
    expect(await hands.claim(endpointId, 1)).toHaveLength(1);
  });

  it('takes nothing for an endpoint that is disabled, paused or not listed', async () => {
    const endpointId = await hands.withDue(account, 3);
    expect(await hands.claims.claim(new Map([[newId('webhookEndpoint'), 5]]), LEASE_MS)).toEqual([]);
    await harness.rows("UPDATE webhook_endpoints SET paused_until = now() + interval '1 minute'");
    expect(await hands.claim(endpointId, 3)).toEqual([]);
    const [waiting] = await hands.claims.waiting();
    expect(waiting!.dueInMs).toBeGreaterThan(50_000);
    await harness.rows(
      "UPDATE webhook_endpoints SET paused_until = NULL, enabled = false, disabled_reason = 'manual'",
    );
    expect(await hands.claim(endpointId, 3)).toEqual([]);
    expect(await hands.claims.waiting()).toEqual([]);
  });

  it('considers every endpoint with pending deliveries, and reports when each is due', async () => {
    const ids = [
      await hands.withDue(account, 1),
      await hands.withDue(account, 2),
      await hands.withDue(account, 1),
    ];
    await harness.rows(
      "UPDATE webhook_deliveries SET due_at = now() + interval '1 hour' WHERE endpoint_id = $1",
      [ids[1]],
    );
    const waiting = new Map(
      (await hands.claims.waiting()).map(({ endpointId, dueInMs }) => [endpointId, dueInMs]),
    );
    expect([...waiting.keys()].toSorted()).toEqual(ids.toSorted());
    expect(waiting.get(ids[0]!)).toBeLessThanOrEqual(0);
    expect(waiting.get(ids[1]!)).toBeGreaterThan(3_500_000);
  });
});

describe('the host of an endpoint', () => {
  it('is that of its account, without scheme, port and path', async () => {
    const other = await harness.createAccount();
    const hosts = new Map<string, string>();
    for (const [owner, url] of [
      [account, 'https://Hooks.Example/a?b=https://other.example/'],
      [account, 'https://hooks.example.:8443/'],
      [account, 'https://hooks.example#x'],
      [other, 'https://hooks.example/'],
      [account, 'https://[2606:4700:0:0::1111]:8443/a'],
    ] as const) {
      const { id } = await harness.newEndpoint(owner, { url });
      hosts.set(id, `${owner.id} ${url.includes('[') ? '[2606:4700::1111]' : 'hooks.example'}`);
    }
    await hands.emit(account, 1);
    await hands.emit(other, 1);
    const { endpoints } = await hands.fanOut.fanOut(100);
    const waiting = await hands.claims.waiting();
    for (const ready of [endpoints, waiting])
      expect(new Map(ready.map(({ endpointId, host }) => [endpointId, host]))).toEqual(hosts);
  });
});

describe('an account deleted during webhook attempts', () => {
  it('is deleted without a deadlock with the dispatchers', async () => {
    for (let round = 0; round < 10; round += 1) {
      const endpoints = [
        await hands.withDue(account, 20),
        await hands.withDue(account, 20),
        await hands.withDue(account, 20),
      ];
      const rows = await hands.claims.claim(new Map(endpoints.map((id) => [id, 20])), LEASE_MS);
      await hands.emit(account, 50);
      const outcomes = await Promise.allSettled([
        harness.rows('DELETE FROM accounts WHERE id = $1', [account.id]),
        hands.record(rows.slice(0, 30).map((row) => finish(row, SILENCE))),
        hands.record(rows.slice(30).map((row) => finish(row, TAKEN))),
        hands.fanOut.fanOut(100),
        hands.claims.claim(new Map(endpoints.map((id) => [id, 20])), LEASE_MS),
      ]);
      expect(outcomes.map(({ status }) => status)).toEqual(outcomes.map(() => 'fulfilled'));
      expect(await harness.rows('SELECT 1 FROM webhook_deliveries')).toEqual([]);
      account = await harness.createAccount();
    }
  });
});
