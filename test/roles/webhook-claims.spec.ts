import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../src/infra/database/database.js';
import { newId } from '../../src/kernel/ids.js';
import {
  ClaimedDelivery,
  type ClaimedRow,
  type FinishedAttempt,
  type Outcome,
} from '../../src/webhooks/delivery/claimed-delivery.js';
import { ClaimsRepository } from '../../src/webhooks/delivery/claims.repository.js';
import { verdictsOf } from '../../src/webhooks/delivery/endpoint-verdict.js';
import { FanOutRepository } from '../../src/webhooks/delivery/fan-out.repository.js';
import { ResultsRepository } from '../../src/webhooks/delivery/results.repository.js';
import { settle } from '../../src/webhooks/delivery/settlement.js';
import { CONFIG } from '../../src/config/tokens.js';
import type { Config } from '../../src/config/env.js';
import { type Harness, startHarness, type TestAccount } from '../support/harness.js';

const LEASE_MS = 60_000;
const DAY_MS = 86_400_000;
const TAKEN: Outcome = { answer: { status: 204, retryAfter: undefined, body: '' }, error: null };
const SILENCE: Outcome = { answer: null, error: 'The connection was refused.' };

let harness: Harness;
let account: TestAccount;
let database: Database;
let claims: ClaimsRepository;
let fanOut: FanOutRepository;
let results: ResultsRepository;
beforeAll(async () => {
  harness = await startHarness();
  database = harness.app.get(Database);
  results = new ResultsRepository(database);
  claims = new ClaimsRepository(database);
  fanOut = new FanOutRepository(database, harness.app.get<Config>(CONFIG));
});
beforeEach(async () => {
  await harness.rows('DELETE FROM accounts');
  account = await harness.createAccount();
});
afterAll(() => harness?.close());

async function emit(count: number, type = 'image.uploaded'): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId('event'));
  await harness.rows(
    `INSERT INTO events (id, account_id, type, data, created_at) SELECT id, $2, $3, '{}', now() FROM unnest($1::text[]) AS id`,
    [ids, account.id, type],
  );
  return ids;
}

/** An endpoint with this many deliveries due. */
async function withDue(count: number): Promise<string> {
  const { id } = await harness.newEndpoint(account);
  await emit(count);
  await fanOut.fanOut(10_000);
  return id;
}

const claim = (endpointId: string, room: number, leaseMs = LEASE_MS) =>
  claims.claim(new Map([[endpointId, room]]), leaseMs);
const finish = (row: ClaimedRow, outcome: Outcome) => new ClaimedDelivery(row, 0).begin()(outcome);

/** Records what attempts met, as the recorder does. */
async function record(attempts: readonly FinishedAttempt[], disableAfterMs = 5 * DAY_MS) {
  const settled = attempts.map((attempt) => ({ attempt, settlement: settle(attempt, [0, 1_000], 0) }));
  const written = await results.record(settled);
  return { written, judged: await results.judge(verdictsOf(settled), disableAfterMs) };
}

const rowOf = async (id: string) =>
  (await harness.rows<Record<string, unknown>>('SELECT * FROM webhook_deliveries WHERE id = $1', [id]))[0]!;

describe('fan-out', () => {
  it('by many at once writes each delivery once, for those that chose the type', async () => {
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
    const ids = [...(await emit(150)), ...(await emit(50, 'job.completed'))];
    const rounds = await Promise.all(Array.from({ length: 8 }, () => fanOut.fanOut(40)));
    expect(rounds.reduce((sum, { events }) => sum + events, 0)).toBeLessThanOrEqual(200);
    for (let left = 1; left > 0;) left = (await fanOut.fanOut(100)).events;
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

  it('of an event that was fanned out before writes nothing twice', async () => {
    const endpointId = await withDue(5);
    await harness.rows('UPDATE events SET dispatched_at = NULL');
    expect(await fanOut.fanOut(100)).toEqual({ events: 5, endpoints: [] });
    const rows = await harness.rows('SELECT 1 FROM webhook_deliveries WHERE endpoint_id = $1', [endpointId]);
    expect(rows).toHaveLength(5);
  });
});

describe('a claim', () => {
  it('is held by one of many who ask at once, and no larger than the room', async () => {
    const endpointId = await withDue(100);
    const taken = await Promise.all(Array.from({ length: 10 }, () => claim(endpointId, 7)));
    const ids = taken.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const rows of taken) expect(rows.length).toBeLessThanOrEqual(7);
    for (let more = 1; more > 0;) {
      const rows = await claim(endpointId, 50);
      ids.push(...rows.map(({ id }) => id));
      more = rows.length;
    }
    expect(ids).toHaveLength(100);
    expect(new Set(ids).size).toBe(100);
  });

  it('that runs out lets the next one in; who held it can record nothing any more', async () => {
    const endpointId = await withDue(1);
    const [first] = await claim(endpointId, 1, 0);
    const [second] = await claim(endpointId, 1);
    expect(second).toMatchObject({ id: first!.id, claim: first!.claim + 1 });
    expect((await record([finish(first!, SILENCE)])).written.size).toBe(0);
    expect(await rowOf(first!.id)).toMatchObject({ status: 'pending', claimed: true, attempt_count: 0 });
    expect((await record([finish(second!, TAKEN)])).written.size).toBe(1);
    expect((await record([finish(second!, TAKEN)])).written.size, 'once').toBe(0);
    expect(await rowOf(first!.id)).toMatchObject({ status: 'succeeded', attempt_count: 1, claimed: false });
  });

  it('that is given back is due at once', async () => {
    const endpointId = await withDue(1);
    const [row] = await claim(endpointId, 1);
    expect(await claim(endpointId, 1)).toEqual([]);
    await claims.release([{ id: row!.id, claim: row!.claim - 1 }]);
    expect(await claim(endpointId, 1), 'not by who does not hold it').toEqual([]);
    await claims.release([row!]);
    expect(await claim(endpointId, 1)).toHaveLength(1);
  });

  it('takes nothing of an endpoint that is disabled, paused, or not named', async () => {
    const endpointId = await withDue(3);
    expect(await claims.claim(new Map([[newId('webhookEndpoint'), 5]]), LEASE_MS)).toEqual([]);
    await harness.rows("UPDATE webhook_endpoints SET paused_until = now() + interval '1 minute'");
    expect(await claim(endpointId, 3)).toEqual([]);
    const [waiting] = await claims.waiting();
    expect(waiting!.dueInMs).toBeGreaterThan(50_000);
    await harness.rows(
      "UPDATE webhook_endpoints SET paused_until = NULL, enabled = false, disabled_reason = 'manual'",
    );
    expect(await claim(endpointId, 3)).toEqual([]);
    expect(await claims.waiting()).toEqual([]);
  });

  it('is looked for at every endpoint that has something, the nearest first', async () => {
    const ids = [await withDue(1), await withDue(2), await withDue(1)];
    await harness.rows(
      "UPDATE webhook_deliveries SET due_at = now() + interval '1 hour' WHERE endpoint_id = $1",
      [ids[1]],
    );
    const waiting = new Map((await claims.waiting()).map(({ endpointId, dueInMs }) => [endpointId, dueInMs]));
    expect([...waiting.keys()].toSorted()).toEqual(ids.toSorted());
    expect(waiting.get(ids[0]!)).toBeLessThanOrEqual(0);
    expect(waiting.get(ids[1]!)).toBeGreaterThan(3_500_000);
  });
});

describe('the verdict on an endpoint', () => {
  const endpoint = async (id: string) =>
    (await harness.rows<Record<string, unknown>>('SELECT * FROM webhook_endpoints WHERE id = $1', [id]))[0]!;

  it('counts from the first failure since the last success', async () => {
    const id = await withDue(3);
    const rows = await claim(id, 3);
    const first = finish(rows[0]!, SILENCE);
    await record([first]);
    expect(await endpoint(id)).toMatchObject({ first_failure_at: first.startedAt, enabled: true });
    await record([finish(rows[1]!, SILENCE)]);
    expect(await endpoint(id)).toMatchObject({ first_failure_at: first.startedAt });
    // Claimed before the failures, so it knows nothing of them: the next one will.
    await record([finish({ ...rows[2]!, destination: { ...rows[2]!.destination, isFailing: true } }, TAKEN)]);
    expect(await endpoint(id)).toMatchObject({ first_failure_at: null, enabled: true });
  });

  it('is that it is failing when nothing else happened for long enough', async () => {
    const id = await withDue(2);
    const [row, other] = await claim(id, 2);
    await harness.rows("UPDATE webhook_endpoints SET first_failure_at = now() - interval '119 hours'");
    expect((await record([finish(row!, SILENCE)])).judged).toMatchObject([{ id, disabledReason: null }]);
    await harness.rows("UPDATE webhook_endpoints SET first_failure_at = now() - interval '121 hours'");
    expect((await record([finish(other!, SILENCE)])).judged).toMatchObject([
      { id, disabledReason: 'failing' },
    ]);
    expect(await endpoint(id)).toMatchObject({ enabled: false, disabled_reason: 'failing' });
  });

  it('does not meet an endpoint that has another address by now', async () => {
    const id = await withDue(1);
    const [row] = await claim(id, 1);
    const json = { url: 'https://new.example/' };
    await harness.call('PATCH', `/api/webhooks/endpoints/${id}`, { key: account.key, json });
    const gone: Outcome = { answer: { status: 410, retryAfter: undefined, body: '' }, error: null };
    expect((await record([finish(row!, gone)])).judged).toEqual([]);
    expect(await endpoint(id)).toMatchObject({ enabled: true, first_failure_at: null });
  });

  it('ends what was under way when the endpoint was disabled', async () => {
    const id = await withDue(1);
    const [row] = await claim(id, 1);
    const path = `/api/webhooks/endpoints/${id}`;
    await harness.call('PATCH', path, { key: account.key, json: { enabled: false } });
    expect(await rowOf(row!.id), 'it is being tried').toMatchObject({ status: 'pending' });
    await record([finish(row!, SILENCE)]);
    expect(await rowOf(row!.id)).toMatchObject({ status: 'failed', attempt_count: 1, next_attempt_at: null });
  });

  it('is spoken although somebody holds the endpoint for a moment, and ends what waits', async () => {
    const id = await withDue(4);
    const [row] = await claim(id, 1);
    const gone: Outcome = { answer: { status: 410, retryAfter: undefined, body: '' }, error: null };
    const { recording } = await database.transaction(async (tx) => {
      await tx.query('SELECT 1 FROM webhook_endpoints WHERE id = $1 FOR UPDATE', [id]);
      const started = record([finish(row!, gone)]);
      for (let blocked = 0; blocked === 0;) {
        blocked = (
          await harness.rows(
            "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
          )
        ).length;
      }
      return { recording: [started] };
    });
    expect((await recording[0]!).judged).toMatchObject([{ id, disabledReason: 'gone' }]);
    const left = await harness.rows<{ status: string }>('SELECT DISTINCT status FROM webhook_deliveries');
    expect(left).toEqual([{ status: 'failed' }]);
  });
});

describe('an account that is deleted while its webhooks are on their way', () => {
  it('is deleted: no dispatcher waits for it with locks in hand', async () => {
    for (let round = 0; round < 10; round += 1) {
      const endpoints = [await withDue(20), await withDue(20), await withDue(20)];
      const rows = await claims.claim(new Map(endpoints.map((id) => [id, 20])), LEASE_MS);
      await emit(50);
      const outcomes = await Promise.allSettled([
        harness.rows('DELETE FROM accounts WHERE id = $1', [account.id]),
        record(rows.slice(0, 30).map((row) => finish(row, SILENCE))),
        record(rows.slice(30).map((row) => finish(row, TAKEN))),
        fanOut.fanOut(100),
        claims.claim(new Map(endpoints.map((id) => [id, 20])), LEASE_MS),
      ]);
      expect(outcomes.map(({ status }) => status)).toEqual(outcomes.map(() => 'fulfilled'));
      expect(await harness.rows('SELECT 1 FROM webhook_deliveries')).toEqual([]);
      account = await harness.createAccount();
    }
  });
});
