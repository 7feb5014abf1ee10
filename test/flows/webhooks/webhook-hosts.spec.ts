import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FlowService } from '../../support/roles/flow-service.js';
import { eventually } from '../../support/roles/flow-wait.js';
import { FlowWebhooks, WEBHOOK_ENV } from '../../support/webhooks/flow-webhooks.js';
import { acknowledge, answerWith, WebhookReceiver } from '../../support/webhooks/webhook-receiver.js';

const ENDPOINTS = 20;
const RATE = 20;
const PATHS = Array.from({ length: ENDPOINTS }, (_, index) => `/${index}`);

describe('an account with twenty endpoints at one host', () => {
  let service: FlowService;
  let receivers: WebhookReceiver[];
  let webhooks: FlowWebhooks;

  beforeAll(async () => {
    receivers = [await WebhookReceiver.start(), await WebhookReceiver.start()];
    const env = { ...WEBHOOK_ENV, WEBHOOK_HOST_RATE: String(RATE), WEBHOOK_RETRY_DELAYS_MS: '0,600000' };
    service = await FlowService.start({ roles: ['api', 'dispatcher'], env });
  });
  afterAll(async () => {
    await service?.close();
    for (const receiver of receivers) await receiver.down();
  });
  afterEach(async () => {
    await service.database.rows('DELETE FROM webhook_endpoints');
  });

  /** Half of the endpoints at each of two ports. */
  async function registerAll(): Promise<void> {
    webhooks = await FlowWebhooks.of(service);
    for (const [index, path] of PATHS.entries()) await webhooks.register(receivers[index % 2]!.url(path));
  }

  /** Seconds at which the attempts began, from the first. */
  async function attemptTimes(): Promise<number[]> {
    const rows = await service.database.rows<{ at: number }>(
      `SELECT extract(epoch FROM a.started_at - min(a.started_at) OVER ())::float8 AS at
         FROM webhook_attempts a JOIN webhook_deliveries d ON d.id = a.delivery_id
        WHERE d.account_id = $1 ORDER BY at`,
      [webhooks.client.account.accountId],
    );
    return rows.map(({ at }) => at);
  }

  const attemptsToReach = (count: number) =>
    eventually(`${count} attempts`, async () => {
      const times = await attemptTimes();
      return times.length >= count ? { found: times } : { seen: times.length };
    });

  it('sends no more than the rate of the host, loses nothing, and does not delay other accounts', async () => {
    await registerAll();
    const others = await FlowWebhooks.of(service);
    await others.register(receivers[0]!.url('/others'));
    await webhooks.emit(6);
    await eventually('the first attempt', async () => ({ found: (await attemptTimes())[0] }));
    await others.emit(1);
    await eventually('the delivery of another account', () => ({ found: receivers[0]!.at('/others')[0] }));
    expect((await attemptTimes()).length).toBeLessThan(6 * ENDPOINTS);
    const times = await attemptsToReach(6 * ENDPOINTS);
    // 20 at once, the others at 20 a second.
    expect(times.at(-1)).toBeGreaterThan((6 * ENDPOINTS - RATE) / RATE - 0.5);
    for (const [index, path] of PATHS.entries())
      expect(new Set(receivers[index % 2]!.at(path).map(({ event }) => event.id)).size).toBe(6);
  });

  it('sends one request a second while all fail, and everything once the host accepts it', async () => {
    for (const receiver of receivers) for (const path of PATHS) receiver.answers.set(path, answerWith(404));
    await registerAll();
    await webhooks.emit(2);
    const times = await attemptsToReach(30);
    // At most 16 are in flight when the tenth fails.
    expect(times[29]).toBeGreaterThan(2);
    for (const receiver of receivers) for (const path of PATHS) receiver.answers.set(path, acknowledge);
    await attemptsToReach(2 * ENDPOINTS);
    expect(
      await service.database.rows('SELECT 1 FROM webhook_attempts WHERE response_status = 204'),
    ).not.toEqual([]);
  });
});
