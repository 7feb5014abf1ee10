import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.js';
import { Dashboard } from '../support/browser/dashboard-browser.js';
import { FlowClient } from '../support/roles/flow-client.js';
import { WEBHOOK_ENV } from '../support/webhooks/flow-webhooks.js';
import { answerWith, WebhookReceiver } from '../support/webhooks/webhook-receiver.js';

const EMAIL = 'health@example.com';
const TEST_MS = 120_000;
const PAGE_SIZE = 50;
const EVENTS = 60;
const STEP_MS = 100;

const ADD_EVENTS = `
  INSERT INTO events (id, account_id, type, data, created_at)
  SELECT e.id, a.id, 'image.uploaded', '{"upload":{"id":"src_0"}}', now()
    FROM unnest($2::text[]) AS e (id), accounts a WHERE a.email = $1`;
const END_KEY = "UPDATE api_keys SET expires_at = now() + interval '4 s' WHERE id = $1";
const ENDED_KEYS = 'SELECT id FROM api_keys WHERE expires_at < now()';
const END_OLD_SECRET = `
  UPDATE webhook_endpoints SET previous_secrets =
    jsonb_set(previous_secrets, '{0,expiresAt}', to_jsonb($1::text))`;

describe('automatic updates of endpoints and keys', () => {
  let dashboard: Dashboard;
  let receiver: WebhookReceiver;
  let endpointId: string;
  let key: { key: string };

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    dashboard = await Dashboard.start({ roles: ['api', 'dispatcher'], env: WEBHOOK_ENV });
    await dashboard.page.clock.install();
    await dashboard.signUp(EMAIL);
    const url = receiver.url('/hooks');
    endpointId = (await dashboard.call<{ id: string }>('POST', '/webhooks/endpoints', { url })).id;
  });
  afterAll(async () => {
    await dashboard?.close();
    await receiver?.down();
  });

  const card = () => dashboard.page.getByRole('article', { name: /^Endpoint / });
  const keyRow = () =>
    dashboard.page.getByRole('article', { name: 'Key Shop' }).filter({ hasText: 'Active' });
  const uploadsHeard = () =>
    receiver.at('/hooks').filter(({ event }) => event.type === 'image.uploaded').length;
  const badge = (label: string) => card().getByText(label, { exact: true }).waitFor();
  const ping = () => dashboard.call('POST', `/webhooks/endpoints/${endpointId}/ping`);

  it('refresh the page when a replaced key expires', { timeout: TEST_MS }, async () => {
    const { page, service } = dashboard;
    const replaced = await dashboard.call<{ id: string }>('POST', '/keys', { name: 'Shop' });
    key = await dashboard.call('POST', `/keys/${replaced.id}/rotate`, { overlapSeconds: 3_600 });
    await service.database.rows(END_KEY, [replaced.id]);
    await dashboard.go('API keys');
    await page.getByRole('timer').waitFor();
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 500);
    await expect.poll(() => service.database.rows(ENDED_KEYS)).toHaveLength(1);
    // The page's clock advances enough for the countdown, but not enough for the page to poll.
    const isExpired = async () =>
      (await page.getByRole('button', { name: '1 revoked or expired key' }).count()) === 1;
    for (let passedMs = 0; passedMs < 8_000 && !(await isExpired()); passedMs += STEP_MS) {
      await page.clock.runFor(STEP_MS);
      await page.waitForTimeout(STEP_MS);
    }
    expect(await isExpired()).toBe(true);
    await page.clock.resume();
  });

  it(
    'show when an endpoint starts to fail, for how long, and when it recovers',
    { timeout: TEST_MS },
    async () => {
      await dashboard.go('Webhooks');
      await badge('Enabled');
      receiver.answers.set('/hooks', answerWith(500));
      await ping();
      await badge('Failing');
      await card().getByText('No delivery has succeeded since', { exact: false }).waitFor();
      receiver.answers.delete('/hooks');
      await badge('Enabled');
      expect(await card().getByText('No delivery has succeeded', { exact: false }).count()).toBe(0);
    },
  );

  it('show how long nothing has been delivered', { timeout: TEST_MS }, async () => {
    await dashboard.service.database.rows(
      "UPDATE webhook_endpoints SET first_failure_at = now() - interval '1 hour'",
    );
    await badge('Failing');
    await expect.poll(() => card().textContent()).toMatch(/since [A-Z][a-z]{2} \d+, \d{4}, \d+:\d\d/);
    await dashboard.service.database.rows('UPDATE webhook_endpoints SET first_failure_at = NULL');
    await badge('Enabled');
  });

  it('remove the notice of a rotation when the old secret expires', { timeout: TEST_MS }, async () => {
    await dashboard.call('POST', `/webhooks/endpoints/${endpointId}/rotate-secret`, {});
    const notice = card().getByText('signed with both the new and the old secret', { exact: false });
    await notice.waitFor();
    await dashboard.service.database.rows(END_OLD_SECRET, [new Date().toISOString()]);
    await expect.poll(() => notice.count()).toBe(0);
  });

  it('add new deliveries above older ones that were loaded on request', { timeout: TEST_MS }, async () => {
    const { page, service } = dashboard;
    const ids = Array.from({ length: EVENTS }, () => newId('event'));
    await service.database.rows(ADD_EVENTS, [EMAIL, ids]);
    await expect.poll(() => uploadsHeard(), { timeout: 60_000 }).toBe(EVENTS);
    await page.getByRole('tab', { name: 'Deliveries' }).click();
    const rows = page.getByRole('list', { name: 'Deliveries' }).getByRole('link');
    await expect.poll(() => rows.count()).toBe(PAGE_SIZE);
    await dashboard.button('Load more').click();
    await page.getByText('End of list').waitFor();
    const before = await rows.count();
    await ping();
    await expect.poll(() => rows.count()).toBe(before + 1);
    expect(await rows.first().textContent()).toContain('ping');
    await expect.poll(() => rows.first().textContent()).toContain('Succeeded');
  });

  it('show the error of one delivery on no other', { timeout: TEST_MS }, async () => {
    const { page } = dashboard;
    const links = page.getByRole('list', { name: 'Deliveries' }).getByRole('link');
    const again = page.getByRole('dialog').getByRole('button', { name: 'Send again' });
    const fault = page.getByRole('dialog').getByRole('alert').getByText("Can't reach the service");
    const path = await links.nth(1).getAttribute('href');
    await links.nth(1).click();
    await again.waitFor();
    await page.keyboard.press('Escape');
    await again.waitFor({ state: 'detached' });
    await links.first().click();
    await page.route('**/redeliver', (route) => route.abort(), { times: 1 });
    await again.click();
    await fault.waitFor();
    await page.evaluate(() => history.go(-2));
    await page.waitForURL(({ pathname }) => pathname === path);
    await again.waitFor();
    // The address changes before the page does.
    await expect.poll(() => fault.count()).toBe(0);
    await page.keyboard.press('Escape');
    await again.waitFor({ state: 'detached' });
  });

  it('show that an endpoint was disabled because it is gone', { timeout: TEST_MS }, async () => {
    await dashboard.page.getByRole('tab', { name: 'Endpoints' }).click();
    await badge('Enabled');
    receiver.answers.set('/hooks', answerWith(410));
    await ping();
    await badge('Disabled');
    expect(await card().textContent()).toContain('Disabled because it responded with 410 Gone');
    await expect.poll(() => card().getByRole('button', { name: 'Recover' }).count()).toBe(0);
  });

  it('show that a key was used', { timeout: TEST_MS }, async () => {
    const { page, service } = dashboard;
    await dashboard.go('API keys');
    const used = keyRow().locator('dl > div').filter({ hasText: 'Last used' });
    expect(await used.textContent()).toContain('Never');
    await new FlowClient(service.baseUrl, key.key).request('GET', '/api/usage');
    await expect
      .poll(
        async () =>
          (await service.database.rows('SELECT 1 FROM api_keys WHERE last_used_at IS NOT NULL')).length,
      )
      .toBe(1);
    await page.clock.fastForward(15_000);
    await expect.poll(() => used.textContent()).not.toContain('Never');
    expect(dashboard.faults).toEqual([]);
  });
});
