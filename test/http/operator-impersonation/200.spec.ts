import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RetentionCleanup } from '../../../src/dispatcher/retention-cleanup.js';
import { CONFIG } from '../../../src/config/tokens.js';
import type { Config } from '../../../src/config/env.js';
import { Database } from '../../../src/infra/database/database.js';
import { ObjectStore } from '../../../src/infra/storage/object-store.js';
import { READ_PERMISSIONS } from '../../../src/kernel/accounts/roles.js';
import { Operators } from '../../../src/operator/operators.js';
import { DASHBOARD_ROUTES } from '../../support/app/dashboard-routes.js';
import { type Harness, PUBLIC_URL, startHarness, type TestAccount } from '../../support/app/harness.js';
import { OperatorClient } from '../../support/app/operator-client.js';
import { adminAnswer } from '../../support/roles/admin-command.js';

const REASON = 'Ticket 4711: results look wrong';

interface SessionBody {
  readonly user: { readonly id: string; readonly operator: boolean } | null;
  readonly account: { readonly id: string } | null;
  readonly permissions: readonly string[];
  readonly impersonation: { readonly startedAt: string; readonly expiresAt: string } | null;
}

let harness: Harness;
let operator: OperatorClient;
let customer: TestAccount;
beforeAll(async () => {
  harness = await startHarness({ env: { DASHBOARD_REQUESTS_PER_MINUTE: '100000' } });
});
afterAll(() => harness.close());
beforeEach(async () => {
  operator = await OperatorClient.start(harness);
  customer = await harness.createAccount();
});

/** Signs in, and keeps the new CSRF token like the page does. */
async function signInAs(account: Pick<TestAccount, 'id'> = customer): Promise<SessionBody> {
  const started = await operator.expect<SessionBody>(200, 'POST', `/accounts/${account.id}/sign-in-as`, {
    reason: REASON,
  });
  await operator.browser.call('GET', '/session');
  return started;
}

async function session(): Promise<SessionBody> {
  return (await operator.browser.call('GET', '/session')).body as SessionBody;
}

const actions = async (id: string) => (await operator.audited(id)).map(({ action }) => action);

describe('an operator who is signed in as a customer', () => {
  it('sees what the customer sees, once an event has recorded it', async () => {
    const job = await harness.newJob(customer);
    const own = (await operator.browser.call('GET', '/ai/enhance')).body as { data: unknown[] };
    expect(own.data).toEqual([]);
    const started = await signInAs();
    expect(started).toMatchObject({
      user: { id: operator.id, operator: true },
      account: { id: customer.id },
      permissions: READ_PERMISSIONS,
    });
    const { startedAt, expiresAt } = started.impersonation!;
    expect(Date.parse(expiresAt) - Date.parse(startedAt)).toBe(3_600_000);
    expect(await operator.audited(customer.id)).toEqual([
      { action: 'impersonation.started', details: { reason: REASON } },
    ]);
    const seen = (await operator.browser.call('GET', '/ai/enhance')).body as { data: { id: string }[] };
    expect(seen.data.map(({ id }) => id)).toEqual([job.id]);
    for (const path of ['/keys', '/webhooks/endpoints', '/audit', '/members', '/usage'])
      expect((await operator.browser.call('GET', path)).status, path).toBe(200);
  });

  it('can change neither what the customer owns nor their own user', async () => {
    await signInAs();
    const before = await harness.footprint();
    const changing = DASHBOARD_ROUTES.filter(({ method, need }) => method !== 'GET' && need === 'required');
    expect(changing.length).toBeGreaterThan(25);
    for (const { method, path } of changing) {
      const address = path
        .replace('/dashboard/api', '')
        .replace('{id}', customer.keyId)
        .replace('{name}', 'x');
      const { status, body } = await operator.browser.call(method, address);
      expect({ status, code: (body as { code: string }).code }, `${method} ${path}`).toEqual({
        status: 403,
        code: 'read_only_session',
      });
    }
    expect(await harness.footprint()).toEqual(before);
  });

  it('neither erases nor caches a result with retention "deliver" by viewing it', async () => {
    const source = await harness.newSource(customer);
    const { id } = await harness.newJob(customer, { sourceUrl: source.url, retention: 'deliver' });
    await harness.jobs.complete(id);
    await signInAs();
    const job = (await operator.browser.call('GET', `/ai/enhance/${id}`)).body as { resultUrl: string };
    const path = job.resultUrl.replace(PUBLIC_URL, '');
    const headers = { cookie: operator.browser.cookie! };
    for (let time = 0; time < 2; time++) {
      const file = await harness.call('GET', path, { headers });
      expect([file.status, file.headers['cache-control']]).toEqual([200, 'no-store']);
      expect((await operator.browser.call('GET', `/ai/enhance/${id}/result`)).status).toBe(200);
    }
    const delivered = () =>
      harness.rows('SELECT delivered_bytes AS bytes, result_erased_at AS at FROM jobs WHERE id = $1', [id]);
    expect(await delivered()).toEqual([{ bytes: null, at: null }]);
    await operator.expect(200, 'POST', '/sign-in-as/end');
    expect((await harness.call('GET', path, { headers })).status).toBe(200);
    await expect.poll(delivered, { timeout: 20_000 }).not.toEqual([{ bytes: null, at: null }]);
  });

  it('returns with one request, and both events name the operator', async () => {
    await signInAs();
    const ended = await operator.expect<SessionBody>(200, 'POST', '/sign-in-as/end');
    expect(ended).toMatchObject({ account: { id: operator.id }, impersonation: null });
    await operator.browser.call('GET', '/session');
    // Once more, from another tab.
    await operator.expect(200, 'POST', '/sign-in-as/end');
    expect(await operator.audited(customer.id)).toEqual([
      { action: 'impersonation.started', details: { reason: REASON } },
      {
        action: 'impersonation.ended',
        details: { startedAt: expect.stringMatching(/^\d{4}-.*Z$/) as string },
      },
    ]);
    expect((await operator.browser.call('GET', '/keys')).status).toBe(200);
  });

  it('cannot use a page that was opened before', async () => {
    const before = operator.browser.csrfToken!;
    await operator.expect(200, 'POST', `/accounts/${customer.id}/sign-in-as`, { reason: REASON });
    const { status, body } = await operator.browser.call('POST', '/keys', {
      json: { name: 'Stray' },
      headers: { 'x-csrf-token': before },
    });
    expect(status).toBe(403);
    expect(body).toMatchObject({ code: 'csrf_refused' });
  });

  it.each<[string, () => Promise<unknown>]>([
    ['at sign-out', () => operator.browser.call('POST', '/sign-out')],
    ['when the role is revoked', () => new Operators(harness.app.get(Database)).set(operator.id, false)],
    [
      'after an hour, when the dispatcher sweeps',
      async () => {
        await harness.rows(`UPDATE sessions SET impersonation_expires_at = now() WHERE account_id = $1`, [
          operator.id,
        ]);
        expect((await session()).impersonation).toBeNull();
        expect((await session()).account!.id).toBe(operator.id);
        const { app } = harness;
        await new RetentionCleanup(app.get(Database), app.get(ObjectStore), app.get<Config>(CONFIG)).keep();
      },
    ],
    [
      'when the next customer follows',
      async () => {
        await signInAs(await harness.createAccount());
      },
    ],
    [
      'when the operator is signed out everywhere',
      () => harness.rows('DELETE FROM sessions WHERE account_id = $1', [operator.id]),
    ],
  ])('stops being the customer %s, and an event records it', async (_, end) => {
    await signInAs();
    await end();
    expect((await session()).account?.id).not.toBe(customer.id);
    expect(await actions(customer.id)).toEqual(['impersonation.started', 'impersonation.ended']);
  });

  it('stops being the customer when the account is deleted, also in the log', async () => {
    await signInAs();
    const other = await OperatorClient.start(harness);
    const { email } = await other.get<{ email: string }>(`/accounts/${customer.id}`);
    await other.expect(204, 'POST', `/accounts/${customer.id}/delete`, { confirmation: email });
    expect((await session()).account!.id).toBe(operator.id);
    expect(await operator.audited(customer.id)).toEqual([
      { action: 'impersonation.started', details: {} },
      { action: 'impersonation.ended', details: {} },
    ]);
  });

  it('loses the event stream of the customer at once', async () => {
    await signInAs();
    const { body } = await fetch(`${harness.url}/dashboard/api/events`, {
      headers: { cookie: operator.browser.cookie! },
    });
    const reader = body!.getReader();
    expect((await reader.read()).done).toBe(false);
    await operator.expect(200, 'POST', '/sign-in-as/end');
    // Long before the ten minutes after which a stream ends on its own.
    for (let isOver = false; !isOver;) isOver = (await reader.read()).done;
  });

  it('is not shown to the customer by name, address or browser', async () => {
    await signInAs();
    const { body } = await operator.browser.call('GET', '/audit');
    const [event] = (body as { data: Record<string, unknown>[] }).data;
    expect(event).toMatchObject({
      action: 'impersonation.started',
      actor: { kind: 'operator', userId: null },
      address: null,
      userAgent: null,
      details: { reason: REASON },
    });
    expect(JSON.stringify(event)).not.toContain(operator.id);
  });

  it('may also look at a suspended account', async () => {
    await operator.expect(200, 'POST', `/accounts/${customer.id}/suspend`, { reason: 'Abuse' });
    expect((await signInAs()).account!.id).toBe(customer.id);
    expect((await operator.browser.call('GET', '/ai/enhance')).status).toBe(200);
  });

  describe('with a link from the command line', () => {
    const issue = async (): Promise<string> => {
      const words = ['account', 'sign-in-as', customer.id, '--reason', REASON];
      const { link } = (await adminAnswer(harness.databaseUrl, ...words)) as { link: string };
      expect(link).toMatch(/\/operator\/sign-in-as#[\w-]{43}$/);
      return link.split('#')[1]!;
    };
    /** Includes the events of the command line. */
    const logged = () =>
      harness.rows<{ action: string; details: unknown }>(
        `SELECT action, details FROM audit_events WHERE account_id = $1 AND action LIKE 'impersonation.%' ORDER BY id`,
        [customer.id],
      );
    const open = (token: unknown, browser = operator) =>
      browser.call('POST', '/sign-in-as', { json: { token } });

    it('signs in once; events record when the link is issued and when it is used', async () => {
      const token = await issue();
      expect(await logged()).toEqual([{ action: 'impersonation.link_issued', details: { reason: REASON } }]);
      const other = await OperatorClient.start(harness);
      const answers = await Promise.all([open(token), open(token, other)]);
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
      expect(answers.find(({ status }) => status === 200)!.body).toMatchObject({
        account: { id: customer.id },
        permissions: READ_PERMISSIONS,
      });
      expect(answers.find(({ status }) => status === 400)!.body).toMatchObject({ code: 'link_not_valid' });
      expect(await logged()).toEqual([
        { action: 'impersonation.link_issued', details: { reason: REASON } },
        { action: 'impersonation.started', details: { reason: REASON } },
      ]);
    });

    it('is refused without the operator role', async () => {
      const token = await issue();
      await new Operators(harness.app.get(Database)).set(operator.id, false);
      expect((await open(token)).status).toBe(404);
      const later = await OperatorClient.start(harness);
      expect((await open(token, later)).status).toBe(200);
    });

    it('is refused once the link has expired, and the link is then deleted', async () => {
      const token = await issue();
      await harness.rows(`UPDATE impersonation_links SET expires_at = expires_at - interval '15 minutes'`);
      expect((await open(token)).body).toMatchObject({ code: 'link_not_valid' });
      const { app } = harness;
      await new RetentionCleanup(app.get(Database), app.get(ObjectStore), app.get<Config>(CONFIG)).keep();
      expect(await harness.rows('SELECT 1 FROM impersonation_links')).toEqual([]);
      expect(await logged()).toMatchObject([{ action: 'impersonation.link_issued' }]);
    });

    it('is refused with an invalid token', async () => {
      for (const token of ['', 'x', 'x'.repeat(201), 7, undefined])
        expect((await open(token)).status).toBe(400);
    });
  });
});
