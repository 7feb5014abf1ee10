import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FlowService } from '../../support/roles/flow-service.js';
import { eventually } from '../../support/roles/flow-wait.js';
import { FlowWebhooks, WEBHOOK_ENV } from '../../support/webhooks/flow-webhooks.js';
import { verifySignature } from '../../support/webhooks/specification-verifier.js';
import {
  answerWith,
  type ReceivedRequest,
  WebhookReceiver,
} from '../../support/webhooks/webhook-receiver.js';

describe('webhook receiver responses', () => {
  let service: FlowService;
  let receiver: WebhookReceiver;
  let webhooks: FlowWebhooks;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    const env = {
      ...WEBHOOK_ENV,
      WEBHOOK_RETRY_DELAYS_MS: '0,100,300,600,1000',
      WEBHOOK_DISABLE_AFTER_MS: '1200',
    };
    service = await FlowService.start({ roles: ['api', 'dispatcher'], env });
    webhooks = await FlowWebhooks.of(service);
  });
  afterAll(async () => {
    await service?.close();
    await receiver?.down();
  });

  /** Waits for this many requests to a path. */
  const untilAt = (path: string, count: number) =>
    eventually(`${count} requests to ${path}`, () => {
      const seen = receiver.at(path);
      return seen.length >= count ? { found: seen } : { seen: seen.length };
    });
  const untilEndpoint = (id: string, wanted: object) =>
    eventually(`${id} to be ${JSON.stringify(wanted)}`, async () => {
      const endpoint = await webhooks.endpoint(id);
      const isSo = Object.entries(wanted).every(([name, value]) => (endpoint as never)[name] === value);
      return isSo ? { found: endpoint } : { seen: endpoint };
    });

  /** Expects that the audit log shows the service as the actor that disabled the endpoint. */
  async function expectAudited(targetId: string, reason: string): Promise<void> {
    const rows = await service.database.rows(
      `SELECT actor_kind, actor_id, address, details FROM audit_events
        WHERE target_id = $1 AND action = 'endpoint.disabled'`,
      [targetId],
    );
    expect(rows).toEqual([{ actor_kind: 'system', actor_id: null, address: null, details: { reason } }]);
  }

  it('get one signature for each secret while the secret rotates', async () => {
    const { id, secret } = await webhooks.register(receiver.url('/rotate'));
    const rotate = async (overlapSeconds: number) =>
      (await webhooks.expected(200, 'POST', `/endpoints/${id}/rotate-secret`, { overlapSeconds }))[
        'secret'
      ] as string;
    const second = await rotate(3_600);
    expect(second).not.toBe(secret);
    await webhooks.until((await webhooks.ping(id)).id, 'succeeded');
    const [{ headers, body }] = (await untilAt('/rotate', 1)) as [ReceivedRequest];
    const header = headers['x-service-signature'] as string;
    expect(header).toMatch(/^t=\d{10},v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
    for (const one of [secret, second]) {
      expect(verifySignature(header, body, one)).toBe(true);
      expect(new Webhook(one).verify(body, headers as Record<string, string>)).toBeTruthy();
    }

    const third = await rotate(0);
    await webhooks.until((await webhooks.ping(id)).id, 'succeeded');
    const last = (await untilAt('/rotate', 2))[1]!;
    const valid = [secret, second, third].map((one) =>
      verifySignature(last.headers['x-service-signature'] as string, last.body, one),
    );
    // The second secret expired at once; the first one is valid for an hour.
    expect(valid).toEqual([true, false, true]);
  });

  it('410 disables the endpoint immediately and fails its pending deliveries', async () => {
    const { id } = await webhooks.register(receiver.url('/gone'));
    receiver.answers.set('/gone', answerWith(410, {}, 'closed'));
    await webhooks.emit(3);
    await untilEndpoint(id, { enabled: false, disabledReason: 'gone' });
    await expectAudited(id, 'gone');
    const deliveries = await eventually('every delivery to have failed', async () => {
      const seen = await webhooks.deliveries(`endpointId=${id}`);
      return seen.length === 3 && seen.every(({ status }) => status === 'failed')
        ? { found: seen }
        : { seen };
    });
    expect(deliveries.some(({ attempts }) => attempts[0]?.responseStatus === 410)).toBe(true);
    const before = receiver.at('/gone').length;
    await webhooks.emit(1);
    const other = await webhooks.register(receiver.url('/gone-other'));
    await webhooks.until((await webhooks.ping(other.id)).id, 'succeeded');
    expect(receiver.at('/gone')).toHaveLength(before);
    const refused = await webhooks.client.request('POST', `/api/webhooks/endpoints/${id}/ping`);
    expect([refused.status, refused.json['code']]).toEqual([409, 'endpoint_disabled']);
    await webhooks.expected(204, 'DELETE', `/endpoints/${other.id}`);
  });

  it('503 with Retry-After pauses the endpoint for that long', async () => {
    const { id } = await webhooks.register(receiver.url('/busy'), ['ping']);
    receiver.answers.set('/busy', answerWith(503, { 'retry-after': '3' }));
    const first = await webhooks.ping(id);
    await untilAt('/busy', 1);
    receiver.answers.delete('/busy');
    await eventually('the attempt to be recorded', async () => {
      const seen = await webhooks.delivery(first.id);
      return seen.attemptCount === 1 ? { found: true } : { seen };
    });
    const second = await webhooks.ping(id);
    for (const one of [first, second]) await webhooks.until(one.id, 'succeeded');
    const [refused, ...later] = receiver.at('/busy');
    expect(later).toHaveLength(2);
    for (const { atMs } of later) expect(atMs - refused!.atMs).toBeGreaterThan(2_900);
  });

  it('503 from one URL does not affect a new URL: pending deliveries go there immediately', async () => {
    const { id } = await webhooks.register(receiver.url('/away'), ['ping']);
    receiver.answers.set('/away', answerWith(503, { 'retry-after': '3600' }));
    await webhooks.ping(id);
    await eventually('the endpoint to be paused', async () => {
      const [seen] = await service.database.rows<{ paused_until: Date | null }>(
        'SELECT paused_until FROM webhook_endpoints WHERE id = $1',
        [id],
      );
      return seen!.paused_until === null ? { seen } : { found: true };
    });
    const waiting = await webhooks.ping(id);
    expect(Date.parse(waiting.nextAttemptAt!) - Date.parse(waiting.createdAt)).toBeGreaterThan(3_000_000);
    await webhooks.expected(200, 'PATCH', `/endpoints/${id}`, { url: receiver.url('/arrived') });
    await webhooks.until(waiting.id, 'succeeded');
    expect(receiver.at('/away')).toHaveLength(1);
    expect(receiver.at('/arrived').map(({ event }) => event.id)).toEqual([waiting.eventId]);
  });

  it('redirects are not followed', async () => {
    const { id } = await webhooks.register(receiver.url('/redirect'), ['ping']);
    receiver.answers.set('/redirect', answerWith(307, { location: receiver.url('/elsewhere') }));
    const failed = await webhooks.until((await webhooks.ping(id)).id, 'failed');
    expect(failed.attempts[0]).toMatchObject({
      responseStatus: 307,
      error: 'The endpoint responded with a redirect, which is not followed.',
    });
    expect(receiver.at('/elsewhere')).toEqual([]);
  });

  it('continuous failures disable an endpoint; recovery redelivers everything it missed', async () => {
    const since = new Date().toISOString();
    const { id } = await webhooks.register(receiver.url('/failing'), ['image.uploaded']);
    receiver.answers.set('/failing', answerWith(500, {}, '<h1>Broken</h1>'));
    const failed = await webhooks.emit(4);
    await untilEndpoint(id, { enabled: false, disabledReason: 'failing' });
    await expectAudited(id, 'failing');
    const missed = await webhooks.emit(3);
    const other = await webhooks.emit(2, 'enhancement.queued');
    await eventually('the missed events to be looked at', async () => {
      const seen = await service.database.rows('SELECT id FROM events WHERE dispatched_at IS NULL');
      return seen.length === 0 ? { found: true } : { seen };
    });
    receiver.answers.delete('/failing');
    const before = receiver.at('/failing').length;
    await webhooks.expected(200, 'PATCH', `/endpoints/${id}`, { enabled: true });
    expect(await webhooks.endpoint(id)).toMatchObject({
      enabled: true,
      disabledReason: null,
      failingSince: null,
    });
    expect(await webhooks.expected(202, 'POST', `/endpoints/${id}/recover`, { since })).toEqual({
      deliveries: 7,
    });
    const arrived = (await untilAt('/failing', before + 7)).slice(before).map(({ event }) => event.id);
    expect(arrived.toSorted()).toEqual([...failed, ...missed].toSorted());
    for (const eventId of other) expect(arrived).not.toContain(eventId);
    expect(await webhooks.expected(202, 'POST', `/endpoints/${id}/recover`, { since })).toEqual({
      deliveries: 0,
    });
  });

  it('a successful delivery can be redelivered on request', async () => {
    const { id } = await webhooks.register(receiver.url('/again'), ['ping']);
    const { id: deliveryId } = await webhooks.ping(id);
    await webhooks.until(deliveryId, 'succeeded');
    await webhooks.expected(202, 'POST', `/deliveries/${deliveryId}/redeliver`);
    const [first, second] = await untilAt('/again', 2);
    expect(second!.body).toBe(first!.body);
    const delivery = await eventually('two attempts', async () => {
      const seen = await webhooks.delivery(deliveryId);
      return seen.attemptCount === 2 ? { found: seen } : { seen };
    });
    expect(delivery).toMatchObject({ status: 'succeeded', attempts: [{ number: 1 }, { number: 2 }] });
  });
});
