import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ImageEnhancement, verifyWebhook, type WebhookEvent } from '../../../../clients/js/src/node.js';
import { EVENT_TYPES } from '../../../../src/webhooks/events/event-types.js';
import { smallPhoto } from '../../../support/images/client-picture.js';
import { SharedService } from '../../../support/roles/shared-service.js';
import { eventually } from '../../../support/roles/flow-wait.js';
import { FlowWebhooks } from '../../../support/webhooks/flow-webhooks.js';
import {
  answerWith,
  type ReceivedRequest,
  WebhookReceiver,
} from '../../../support/webhooks/webhook-receiver.js';

/** Real deliveries, verified with the client as an integrator would. */
describe('webhooks through the JavaScript client', () => {
  let service: SharedService;
  let receiver: WebhookReceiver;
  let client: ImageEnhancement;

  const verified = ({ body, headers }: ReceivedRequest, secret: string | string[]): Promise<WebhookEvent> =>
    verifyWebhook(body, headers['x-service-signature'], secret);
  const arrived = (path: string, count: number) =>
    eventually(`${count} requests at ${path}`, () => {
      const seen = receiver.at(path);
      return seen.length >= count ? { found: seen } : { seen: seen.map(({ event }) => event.type) };
    });

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    service = await SharedService.join();
    const { account } = (await FlowWebhooks.of(service)).client;
    client = new ImageEnhancement({ baseUrl: service.baseUrl, apiKey: account.key });
  });
  afterAll(async () => {
    await service?.close();
    await receiver?.down();
  });

  it('registers, lists, changes and deletes endpoints', async () => {
    const { endpoints } = client.webhooks;
    const { secret, ...made } = await endpoints.create({ url: receiver.url('/made'), events: ['ping'] });
    expect(secret).toMatch(/^whsec_/);
    expect(await endpoints.get(made.id)).toEqual(made);
    expect(await endpoints.update(made.id, { description: 'mine' })).toMatchObject({ description: 'mine' });
    const listed = [];
    for await (const endpoint of endpoints.list({ limit: 1 })) listed.push(endpoint.id);
    expect(listed).toContain(made.id);
    await endpoints.delete(made.id);
    await expect(endpoints.get(made.id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(endpoints.create({ url: 'https://10.0.0.1/' })).rejects.toMatchObject({
      code: 'invalid_request',
      fieldErrors: [expect.objectContaining({ field: 'url' })],
    });
  });

  it('lists the event types, which match the TypeScript types', async () => {
    expect((await client.webhooks.events()).map(({ type }) => type)).toEqual(EVENT_TYPES);
  });

  it('verifies real deliveries and returns typed events', async () => {
    const { id, secret } = await client.webhooks.endpoints.create({
      url: receiver.url('/all'),
      events: ['job.completed', 'upload.finished', 'ping'],
    });
    await client.webhooks.endpoints.ping(id);
    const { job } = await client.enhance(await smallPhoto(), { operation: 'auto_enhance' });
    const events = await Promise.all((await arrived('/all', 3)).map((request) => verified(request, secret)));
    const completed = events.find((event) => event.type === 'job.completed');
    expect(completed?.data.job).toMatchObject({ id: job.id, status: 'completed', result: job.result! });
    const uploaded = events.find((event) => event.type === 'upload.finished');
    expect(uploaded?.data.upload).toMatchObject({ width: 48, height: 40 });
    expect(events.find((event) => event.type === 'ping')?.data).toEqual({});
    const [first] = receiver.at('/all');
    await expect(verified({ ...first!, body: `${first!.body} ` }, secret)).rejects.toMatchObject({
      code: 'signature_mismatch',
    });
  });

  it('accepts deliveries while the secret is rotated', async () => {
    const { endpoints } = client.webhooks;
    const { id, secret: old } = await endpoints.create({ url: receiver.url('/rotated'), events: ['ping'] });
    const { secret } = await endpoints.rotateSecret(id, { overlapSeconds: 60 });
    expect(secret).not.toBe(old);
    await endpoints.ping(id);
    const [request] = await arrived('/rotated', 1);
    for (const known of [old, secret, [secret, old]]) {
      expect(await verified(request!, known)).toMatchObject({ type: 'ping' });
    }
  });

  it('lists deliveries and redelivers them', async () => {
    const { endpoints, deliveries } = client.webhooks;
    const { id } = await endpoints.create({ url: receiver.url('/again'), events: ['ping'] });
    receiver.answers.set('/again', answerWith(500));
    const { id: deliveryId } = await endpoints.ping(id);
    const failing = await eventually('a failed attempt', async () => {
      const delivery = await deliveries.get(deliveryId);
      return delivery.attempts.length > 0 ? { found: delivery } : { seen: delivery };
    });
    expect(failing.attempts[0]).toMatchObject({ number: 1, responseStatus: 500 });
    receiver.answers.delete('/again');
    await eventually('the delivery', async () => {
      const [delivery] = await deliveries.list({ endpointId: id, status: 'succeeded' }).all();
      return { found: delivery };
    });
    const before = receiver.at('/again').length;
    await deliveries.redeliver(deliveryId);
    await arrived('/again', before + 1);
    expect(await endpoints.recover(id, new Date(Date.now() - 60_000))).toEqual({ deliveries: 0 });
  });
});
