import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EVENT_TYPES } from '../../../src/webhooks/events/event-types.js';
import { rottenPng, solidFile } from '../../support/images/flow-drawn.js';
import { SharedService } from '../../support/roles/shared-service.js';
import { eventually } from '../../support/roles/flow-wait.js';
import { FlowWebhooks } from '../../support/webhooks/flow-webhooks.js';
import { createValidator } from '../../support/app/openapi-conformance.js';
import { verifySignature } from '../../support/webhooks/specification-verifier.js';
import { WebhookReceiver } from '../../support/webhooks/webhook-receiver.js';

interface CatalogAnswer {
  readonly data: readonly {
    readonly type: string;
    readonly aliasOf: string | null;
    readonly schema: object;
  }[];
}

describe('the events of an upload and a job', () => {
  let service: SharedService;
  let receiver: WebhookReceiver;
  let webhooks: FlowWebhooks;
  let secret: string;

  const typesAt = (path: string) =>
    receiver
      .at(path)
      .map(({ event }) => event.type)
      .toSorted();
  const untilTypesAt = (path: string, types: readonly string[]) =>
    eventually(`${types.join(', ')} at ${path}`, () => {
      const seen = typesAt(path);
      return seen.length >= types.length ? { found: seen } : { seen };
    });

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    service = await SharedService.join();
    webhooks = await FlowWebhooks.of(service);
    ({ secret } = await webhooks.register(receiver.url('/all')));
    await webhooks.register(receiver.url('/one'), ['job.completed']);
    await webhooks.register(receiver.url('/two'), ['upload.finished']);
    await webhooks.register(receiver.url('/none'), ['enhancement.failed', 'quota.exceeded']);
    const { url } = await webhooks.client.upload(await solidFile(16, 16, [90, 80, 70]));
    const metadata = { orderId: '4711', note: 'ü'.repeat(400) };
    const { id } = await webhooks.client.create(url, { operation: 'smooth_skin', metadata });
    await webhooks.client.completed(id);
  });
  afterAll(async () => {
    await service?.close();
    await receiver?.down();
  });

  it('reach an endpoint for all events, with each alias as a separate event', async () => {
    const wanted = [
      'enhancement.completed',
      'enhancement.queued',
      'image.completed',
      'image.uploaded',
      'job.completed',
      'upload.finished',
    ];
    expect(await untilTypesAt('/all', wanted)).toEqual(wanted);
    const ids = receiver.at('/all').map(({ event }) => event.id);
    expect(new Set(ids).size).toBe(6);
    const jobs = receiver
      .at('/all')
      .filter(({ event }) => event.type.endsWith('.completed'))
      .map(({ event }) => event.data);
    expect(jobs[1]).toEqual(jobs[0]);
    expect(jobs[2]).toEqual(jobs[0]);
  });

  it('reach an endpoint for one type as that type only', async () => {
    expect(await untilTypesAt('/one', ['job.completed'])).toEqual(['job.completed']);
    expect(await untilTypesAt('/two', ['upload.finished'])).toEqual(['upload.finished']);
    expect(typesAt('/none')).toEqual([]);
  });

  it('have signatures that both kinds of verifiers accept, and only for this body and secret', () => {
    const hook = new Webhook(secret);
    for (const { headers, body } of receiver.at('/all')) {
      const header = headers['x-service-signature'] as string;
      expect(header).toMatch(/^t=\d{10},v1=[0-9a-f]{64}$/);
      expect(verifySignature(header, body, secret)).toBe(true);
      expect(verifySignature(header, `${body} `, secret)).toBe(false);
      expect(verifySignature(header, body, secret.replace('whsec_', ''))).toBe(false);
      const standard = headers as Record<string, string>;
      expect(hook.verify(body, standard)).toEqual(JSON.parse(body));
      expect(() => hook.verify(`${body} `, standard)).toThrow('No matching signature found');
      expect(headers['content-type']).toBe('application/json');
      expect(headers['user-agent']).toMatch(/^image-enhancement-service/);
      expect(headers['webhook-id']).toBe((JSON.parse(body) as { id: string }).id);
    }
  });

  it('include failed jobs and used-up quotas, and match the schemas of the catalog', async () => {
    const poor = await FlowWebhooks.of(service);
    await service.database.rows('UPDATE accounts SET limits = limits || $2 WHERE id = $1', [
      poor.client.account.accountId,
      { enhancements: 1 },
    ]);
    await poor.register(receiver.url('/poor'), ['enhancement.failed', 'quota.exceeded']);
    const rotten = await poor.client.upload(rottenPng());
    const failing = await poor.client.create(rotten.url, { operation: 'upscale' });
    await poor.client.until(failing.id, 'failed');
    // This job succeeds; a failed one could refund its enhancement at any moment.
    const good = await poor.client.upload(await solidFile(16, 16, [40, 90, 140]));
    await poor.client.create(good.url, { operation: 'upscale' });
    const order = { sourceUrl: good.url, operation: 'upscale' };
    expect((await poor.client.request('POST', '/api/ai/enhance', order)).status).toBe(403);
    await untilTypesAt('/poor', ['enhancement.failed', 'quota.exceeded']);
    const quota = receiver.at('/poor').find(({ event }) => event.type === 'quota.exceeded');
    expect(quota!.event.data).toMatchObject({ quota: { quota: 'enhancements', limit: 1, used: 1 } });

    const { json } = await webhooks.client.request('GET', '/api/webhooks/events');
    const { data } = json as unknown as CatalogAnswer;
    expect(data.map(({ type }) => type).toSorted()).toEqual([...EVENT_TYPES].toSorted());
    const ajv = createValidator({ strict: true, strictTypes: false, strictRequired: false });
    const closed = new Map(data.map(({ type, schema }) => [type, ajv.compile(refusingMore(schema))]));
    const seen = [...receiver.at('/all'), ...receiver.at('/poor')];
    for (const { event, body } of seen) {
      const validate = closed.get(event.type)!;
      expect(validate(event), `${event.type} ${JSON.stringify(validate.errors)}`).toBe(true);
      expect(Buffer.byteLength(body)).toBeLessThan(20_000);
    }
    const singleTypes = EVENT_TYPES.filter((type) => !type.startsWith('batch.'));
    expect(new Set(seen.map(({ event }) => event.type)).size).toBe(singleTypes.length - 1);
  });

  it('are sent to the callback URL of a job, signed with the callback secret of the account', async () => {
    const { json } = await webhooks.client.request('POST', '/api/webhooks/callback-secret', {});
    const { url } = await webhooks.client.upload(await solidFile(18, 16, [10, 80, 70]));
    const callbackUrl = receiver.url('/callbacks/4711');
    const order = { operation: 'smooth_skin', callbackUrl, cancelAfter: '10m' } as const;
    const { id } = await webhooks.client.create(url, order);
    await untilTypesAt('/callbacks/4711', ['enhancement.completed']);
    const [{ headers, body, event }] = receiver.at('/callbacks/4711') as [
      ReturnType<typeof receiver.at>[number],
    ];
    expect(event.data).toMatchObject({ job: { id, status: 'completed', callbackUrl } });
    const callbackSecret = (json as { secret: string }).secret;
    expect(verifySignature(headers['x-service-signature'] as string, body, callbackSecret)).toBe(true);
    expect(verifySignature(headers['x-service-signature'] as string, body, secret)).toBe(false);
  });
});

/** The same schema, but rejecting members that it does not describe. */
function refusingMore(schema: object): object {
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== 'object' || value === null) return value;
    const visited = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, visit(member)]));
    return 'properties' in visited ? { ...visited, additionalProperties: false } : visited;
  };
  return visit(schema) as object;
}
