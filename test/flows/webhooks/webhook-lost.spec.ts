import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FlowPostgres } from '../../support/database/flow-postgres.js';
import { FlowService } from '../../support/roles/flow-service.js';
import { eventually } from '../../support/roles/flow-wait.js';
import { FlowWebhooks, WEBHOOK_ENV } from '../../support/webhooks/flow-webhooks.js';
import { answerWith, neverAnswer, WebhookReceiver } from '../../support/webhooks/webhook-receiver.js';

const ROLES = ['api', 'dispatcher'] as const;

let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await WebhookReceiver.start();
});
afterAll(() => receiver?.down());

/** Waits until each of these events has reached a path. */
function untilAllAt(path: string, eventIds: readonly string[]): Promise<true> {
  return eventually(`${eventIds.length} events at ${path}`, () => {
    const seen = new Set(receiver.at(path).map(({ event }) => event.id));
    const missing = eventIds.filter((id) => !seen.has(id));
    return missing.length === 0 ? { found: true } : { seen: { missing: missing.length } };
  });
}

describe('deliveries', () => {
  let service: FlowService;
  let webhooks: FlowWebhooks;
  let paths = 0;

  beforeAll(async () => {
    // No receiver here is slow, but a busy machine may be.
    const env = { ...WEBHOOK_ENV, WEBHOOK_TIMEOUT_MS: '5000' };
    service = await FlowService.start({ roles: ROLES, env });
    webhooks = await FlowWebhooks.of(service);
  });
  afterEach(async () => {
    await receiver.up().catch(() => undefined);
    await service.database.rows('DELETE FROM webhook_endpoints');
  });
  afterAll(() => service?.close());

  /** Registers an endpoint for all events at a path of its own. */
  async function newEndpoint(): Promise<{ path: string; id: string }> {
    const path = `/lost/${(paths += 1)}`;
    return { path, id: (await webhooks.register(receiver.url(path))).id };
  }

  /** Waits until every delivery to an endpoint has succeeded. @returns the number of attempts */
  const untilAllRecorded = (endpointId: string): Promise<number> =>
    eventually('every delivery to be recorded', async () => {
      const rows = await service.database.rows<{ status: string; attempts: number }>(
        `SELECT status, sum(attempt_count)::int AS attempts FROM webhook_deliveries WHERE endpoint_id = $1
          GROUP BY status`,
        [endpointId],
      );
      const [first] = rows;
      return rows.length === 1 && first!.status === 'succeeded' ? { found: first!.attempts } : { seen: rows };
    });

  it('survive a receiver outage: the same event is retried until the receiver is back', async () => {
    const { path, id: endpointId } = await newEndpoint();
    await receiver.down();
    const [eventId] = await webhooks.emit(1);
    const failing = await eventually('two failed attempts', async () => {
      const [delivery] = await webhooks.deliveries(`endpointId=${endpointId}`);
      return delivery !== undefined && delivery.attemptCount >= 2 ? { found: delivery } : { seen: delivery };
    });
    expect(failing).toMatchObject({ status: 'pending', eventId });
    expect(failing.nextAttemptAt).not.toBeNull();
    for (const attempt of failing.attempts)
      expect(attempt).toMatchObject({ responseStatus: null, error: 'The connection was refused.' });
    expect((await webhooks.endpoint(endpointId)).failingSince).not.toBeNull();

    receiver.answers.set(path, answerWith(500, {}, 'not yet'));
    await receiver.up();
    await eventually('an answer of 500', () => {
      const seen = receiver.at(path).length;
      return seen > 0 ? { found: true } : { seen };
    });
    receiver.answers.delete(path);
    const delivered = await webhooks.until(failing.id, 'succeeded');
    expect(delivered.attempts.map(({ number }) => number)).toEqual(
      Array.from({ length: delivered.attemptCount }, (_, index) => index + 1),
    );
    expect(delivered.attempts.at(-1)).toMatchObject({ responseStatus: 204, error: null });
    expect(delivered.attempts.at(-2)).toMatchObject({ responseStatus: 500, responseBody: 'not yet' });
    expect(new Set(receiver.at(path).map(({ event }) => event.id))).toEqual(new Set([eventId]));
    expect(new Set(receiver.at(path).map(({ body }) => body)).size).toBe(1);
    // The dispatcher records the delivery first, then the state of its endpoint.
    await eventually('the endpoint to be sound', async () => {
      const { failingSince } = await webhooks.endpoint(endpointId);
      return failingSince === null ? { found: true } : { seen: failingSince };
    });
  });

  it('survive kill -9 of the dispatcher during an attempt', async () => {
    const { path, id: endpointId } = await newEndpoint();
    receiver.answers.set(path, neverAnswer);
    const [eventId] = await webhooks.emit(1);
    await untilAllAt(path, [eventId!]);
    await service.killRole('dispatcher');
    receiver.answers.delete(path);
    const [cut] = await webhooks.deliveries(`endpointId=${endpointId}`);
    expect(cut, 'a result that nobody obtained is not recorded').toMatchObject({
      status: 'pending',
      attemptCount: 0,
    });
    await service.startRole('dispatcher');
    expect(await webhooks.until(cut!.id, 'succeeded')).toMatchObject({ attemptCount: 1 });
    expect(receiver.at(path)).toHaveLength(2);
  });

  it('survive kill -9 of the dispatcher at any moment', async () => {
    const { path, id: endpointId } = await newEndpoint();
    receiver.answers.set(path, async (_request, response) => {
      await sleep(30);
      response.writeHead(204).end();
    });
    const sent: string[] = [];
    for (const lifeMs of [5, 40, 150, 400]) {
      sent.push(...(await webhooks.emit(60)));
      await sleep(lifeMs);
      await service.killRole('dispatcher');
      await service.startRole('dispatcher');
    }
    await untilAllAt(path, sent);
    await untilAllRecorded(endpointId);
    expect(await service.database.rows('SELECT id FROM events WHERE dispatched_at IS NULL')).toEqual([]);
  });

  it('are each sent by one of two dispatchers, never by both at the same time', async () => {
    const first = service.role('dispatcher');
    await service.startRole('dispatcher');
    const endpoints = await Promise.all(Array.from({ length: 5 }, newEndpoint));
    for (const { path } of endpoints)
      receiver.answers.set(path, async (_request, response) => {
        await sleep(20);
        response.writeHead(204).end();
      });
    const sent = await webhooks.emit(150);
    const more: string[] = [];
    for (let index = 0; index < 20; index += 1) more.push(...(await webhooks.emit(5)));
    for (const { path, id } of endpoints) {
      await untilAllAt(path, [...sent, ...more]);
      // No process died and nothing failed, so the receiver got exactly the recorded attempts.
      expect(receiver.at(path)).toHaveLength(await untilAllRecorded(id));
    }
    expect(receiver.overlaps).toEqual([]);
    expect(await first.terminate()).toMatchObject({ code: 0 });
  });

  it('survive a draining dispatcher, which gives pending ones back', async () => {
    const { path } = await newEndpoint();
    receiver.answers.set(path, async (_request, response) => {
      await sleep(300);
      response.writeHead(204).end();
    });
    const sent = await webhooks.emit(40);
    await eventually('the first to come', () => {
      const seen = receiver.at(path).length;
      return seen > 0 ? { found: true } : { seen };
    });
    expect(await service.role('dispatcher').terminate()).toMatchObject({ code: 0 });
    await service.startRole('dispatcher');
    await untilAllAt(path, sent);
    expect(receiver.at(path), 'what was under way was waited for').toHaveLength(sent.length);
  });
});

describe('PostgreSQL killed during webhook attempts', () => {
  let postgres: FlowPostgres;
  let service: FlowService;

  beforeAll(async () => {
    postgres = await FlowPostgres.start();
    service = await FlowService.start({
      roles: ROLES,
      databaseUrl: postgres.databaseUrl,
      env: { ...WEBHOOK_ENV, WEBHOOK_TIMEOUT_MS: '4000' },
    });
  });
  afterAll(async () => {
    await service?.close();
    await postgres?.close();
  });

  it('loses neither an event nor the result of an attempt', async () => {
    const webhooks = await FlowWebhooks.of(service);
    const { id: endpointId } = await webhooks.register(receiver.url('/pg'));
    let release!: () => void;
    const held = new Promise<void>((resolve) => (release = resolve));
    receiver.answers.set('/pg', async (_request, response) => {
      await held;
      response.writeHead(204).end();
    });
    const sent = await webhooks.emit(10);
    await eventually('an attempt to be under way', () => {
      const seen = receiver.at('/pg').length;
      return seen > 0 ? { found: true } : { seen };
    });
    const pid = service.role('dispatcher').pid;
    await postgres.kill();
    release();
    await sleep(500);
    await postgres.restart();
    await untilAllAt('/pg', sent);
    await eventually('all to be recorded', async () => {
      const seen = await webhooks.deliveries(`endpointId=${endpointId}`);
      return seen.every(({ status }) => status === 'succeeded') ? { found: true } : { seen };
    });
    expect(receiver.at('/pg'), 'the result was written when the database was back').toHaveLength(10);
    expect(service.role('dispatcher').pid).toBe(pid);
    expect(service.role('dispatcher').isRunning).toBe(true);
  });
});
