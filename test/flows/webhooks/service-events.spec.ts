import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SERVICE_EVENT_CATALOG } from '../../../src/webhooks/events/schemas/event-catalog.js';
import { createValidator } from '../../support/app/openapi-conformance.js';
import { adminAnswer } from '../../support/roles/admin-command.js';
import { freePort } from '../../../src/infra/database/embedded/free-port.js';
import { FlowService } from '../../support/roles/flow-service.js';
import { eventually } from '../../support/roles/flow-wait.js';
import { FlowWebhooks, WEBHOOK_ENV } from '../../support/webhooks/flow-webhooks.js';
import { WebhookReceiver } from '../../support/webhooks/webhook-receiver.js';

describe('plan changes', () => {
  let service: FlowService;
  let receiver: WebhookReceiver;
  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    service = await FlowService.start({
      models: [],
      env: WEBHOOK_ENV,
      roles: ['api', 'dispatcher'],
    });
    await service.startRole('dispatcher', { DISPATCHER_PORT: String(await freePort()) });
  });
  afterAll(async () => {
    await service?.close();
    await receiver?.down();
  });

  it("reach the operator's billing endpoint exactly once through two dispatchers, and no other endpoint", async () => {
    const [billing, customer] = [await FlowWebhooks.of(service), await FlowWebhooks.of(service)];
    const { accountId } = customer.client.account;
    await adminAnswer(service.databaseUrl, 'operator', 'grant', billing.client.account.accountId);
    const { id, secret } = await billing.register(receiver.url('/billing'), ['plan.changed']);
    const all = await billing.register(receiver.url('/all'));
    const theirs = await customer.register(receiver.url('/customer'));
    const plans = ['personal', 'business', 'free', 'business', 'personal'];
    for (const plan of plans) await adminAnswer(service.databaseUrl, 'account', 'set-plan', accountId, plan);
    const told = await eventually(`${plans.length} events`, () => {
      const seen = receiver.at('/billing');
      return seen.length >= plans.length ? { found: seen } : { seen };
    });
    const { schema } = SERVICE_EVENT_CATALOG.find(({ type }) => type === 'plan.changed')!;
    const validate = createValidator({ strict: true, strictTypes: false, strictRequired: false }).compile(
      schema,
    );
    for (const { event, body, headers } of told) {
      expect(validate(event), JSON.stringify(validate.errors)).toBe(true);
      expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual(event);
    }
    // Pings arrive after events that are already on the way.
    for (const [webhooks, endpoint] of [
      [billing, all],
      [customer, theirs],
    ] as const)
      await webhooks.until((await webhooks.ping(endpoint.id)).id, 'succeeded');
    expect(receiver.at('/all').map(({ event }) => event.type)).toEqual(['ping']);
    expect(receiver.at('/customer').map(({ event }) => event.type)).toEqual(['ping']);
    const events = receiver.at('/billing').map(({ event }) => event);
    expect(new Set(events.map((event) => event.id)).size).toBe(plans.length);
    const changes = events.map(({ data }) => (data as { plan: { accountId: string; to: string } }).plan);
    expect(new Set(changes.map((change) => change.accountId))).toEqual(new Set([accountId]));
    expect(changes.map(({ to }) => to).toSorted()).toEqual(plans.toSorted());
    const deliveries = await billing.deliveries(`endpointId=${id}&eventType=plan.changed`);
    expect(deliveries.map(({ attemptCount }) => attemptCount)).toEqual(plans.map(() => 1));
  });
});
