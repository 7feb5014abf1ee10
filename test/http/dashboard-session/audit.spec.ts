import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditLog, MAX_FAILURES_PER_HOUR } from '../../../src/audit/audit-log.js';
import { auditEvents } from '../../../src/audit/audit-events.repository.js';
import { Database } from '../../../src/infra/database/database.js';
import { DashboardClient, PASSWORD } from '../../support/app/dashboard-client.js';
import { type Harness, startHarness } from '../../support/app/harness.js';

let harness: Harness;
beforeAll(async () => {
  const SIGN_IN_ATTEMPTS_PER_MINUTE = '1000';
  harness = await startHarness({ env: { SIGN_UPS_PER_MINUTE: '1000', SIGN_IN_ATTEMPTS_PER_MINUTE } });
});
afterAll(() => harness.close());

interface Shown {
  readonly id: string;
  readonly action: string;
  readonly actor: { readonly kind: string; readonly keyId: string | null };
  readonly targetId: string | null;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly details: Record<string, unknown>;
}

async function log(browser: DashboardClient, query = ''): Promise<Shown[]> {
  const { status, body, text } = await browser.call('GET', `/audit${query}`);
  expect(status, text).toBe(200);
  return (body as { data: Shown[] }).data;
}

describe('the audit log', () => {
  it('records who did what from where, newest first, and no secret', async () => {
    const browser = new DashboardClient(harness);
    const { email, id } = await browser.newPerson();
    const made = await browser.call('POST', '/keys', {
      json: { name: 'Laptop' },
      headers: { 'user-agent': 'Firefox' },
    });
    const key = made.body as { id: string; key: string };
    await browser.call('PATCH', `/keys/${key.id}`, { json: { name: 'Desk' } });
    await browser.call('DELETE', `/keys/${key.id}`);
    await browser.call('DELETE', `/keys/${key.id}`);
    await browser.call('POST', '/sign-out', { json: {} });
    await browser.signIn(email);
    const events = await log(browser);
    expect(events.map(({ action }) => action)).toEqual([
      'sign_in.succeeded',
      'sign_out',
      'key.revoked',
      'key.updated',
      'key.created',
      'sign_in.succeeded',
      'account.created',
    ]);
    expect(events[4]).toMatchObject({
      actor: { kind: 'person', keyId: null, userId: id },
      targetId: key.id,
      address: '127.0.0.1',
      userAgent: 'Firefox',
      details: { name: 'Laptop' },
    });
    expect(events[3]!.details).toEqual({ name: 'Laptop', changed: ['name'], newName: 'Desk' });
    expect(JSON.stringify(events)).not.toContain(key.key);
    expect(JSON.stringify(events)).not.toContain(PASSWORD);
  });

  it('names the API key that a program used', async () => {
    const account = await harness.createAccount();
    const browser = new DashboardClient(harness);
    await browser.signInto(account);
    const endpoint = await harness.call('POST', '/api/webhooks/endpoints', {
      key: account.key,
      json: { url: 'https://receiver.example/hook?token=hidden' },
    });
    const { id, secret } = endpoint.body as { id: string; secret: string };
    const path = `/api/webhooks/endpoints/${id}`;
    await harness.call('PATCH', path, { key: account.key, json: { enabled: false } });
    await harness.call('PATCH', path, { key: account.key, json: { enabled: false } });
    await harness.call('POST', `${path}/rotate-secret`, { key: account.key, json: {} });
    await harness.call('DELETE', path, { key: account.key });
    const events = await log(browser, '?group=endpoint');
    expect(events.map(({ action }) => action)).toEqual([
      'endpoint.deleted',
      'endpoint.secret_rotated',
      'endpoint.disabled',
      'endpoint.created',
    ]);
    for (const event of events)
      expect(event).toMatchObject({ actor: { kind: 'key', keyId: account.keyId }, targetId: id });
    expect(JSON.stringify(events)).not.toMatch(/hidden|whsec_/);
    expect(JSON.stringify(events)).not.toContain(secret);
  });

  it('limits failed sign-ins, and records nothing about addresses without an account', async () => {
    const browser = new DashboardClient(harness);
    const { email } = await browser.newPerson();
    const before = await harness.rows<{ n: number }>('SELECT count(*)::int AS n FROM audit_events');
    for (let attempt = 0; attempt < MAX_FAILURES_PER_HOUR + 5; attempt += 1) {
      const stranger = new DashboardClient(harness);
      const json = { email, password: 'not the password at all' };
      expect((await stranger.call('POST', '/sign-in', { json })).status).toBe(401);
      await stranger.call('POST', '/sign-in', { json: { ...json, email: `nobody${attempt}@example.org` } });
    }
    const after = await harness.rows<{ n: number }>('SELECT count(*)::int AS n FROM audit_events');
    expect(after[0]!.n - before[0]!.n).toBe(MAX_FAILURES_PER_HOUR);
    expect(await log(browser, '?group=sign_in&limit=100')).toHaveLength(MAX_FAILURES_PER_HOUR + 1);
  });

  it('does not wait for the disk when a sign-in fails, which takes time only for known accounts', async () => {
    const { id } = await harness.createAccount();
    await harness.app.get(Database).transaction(async (tx) => {
      await auditLog.recordFailure(tx, id);
      expect(await tx.query('SHOW synchronous_commit')).toEqual([{ synchronous_commit: 'off' }]);
    });
    // Only in its own transaction.
    expect(await harness.rows('SHOW synchronous_commit')).not.toEqual([{ synchronous_commit: 'off' }]);
  });

  it('limits repeated sign-ups', async () => {
    const browser = new DashboardClient(harness);
    const { email, id } = await browser.newPerson();
    const json = { email, password: PASSWORD };
    for (let attempt = 0; attempt < MAX_FAILURES_PER_HOUR + 5; attempt += 1)
      expect((await new DashboardClient(harness).call('POST', '/sign-up', { json })).status).toBe(202);
    const repeated = `FROM audit_events WHERE account_id = $1 AND action = 'account.sign_up_repeated'`;
    expect(await harness.rows(`SELECT 1 ${repeated}`, [id])).toHaveLength(MAX_FAILURES_PER_HOUR);
  });

  it('is read in pages, by its owner only', async () => {
    const browser = new DashboardClient(harness);
    await browser.newPerson();
    for (let round = 0; round < 3; round += 1) await browser.call('POST', '/keys', { json: { name: 'x' } });
    const all = (await log(browser)).map(({ id }) => id);
    const pages: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query: string = `?limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`;
      const { body } = await browser.call('GET', `/audit${query}`);
      const page = body as { data: Shown[]; nextCursor: string | null };
      pages.push(...page.data.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    expect(pages).toEqual(all);
    const bad = await browser.call('GET', '/audit?cursor=bm8');
    expect(bad).toMatchObject({ status: 400, body: { code: 'invalid_cursor' } });
    expect((await browser.call('GET', '/audit?group=nothing')).status).toBe(400);
    expect((await harness.call('GET', '/dashboard/api/audit')).status).toBe(401);
  });

  it('is rolled back with the change that it records', async () => {
    const account = await harness.createAccount({ plan: 'free' });
    await expect(harness.createKey(account)).rejects.toThrow(/keys/);
    const rows = await harness.rows('SELECT action FROM audit_events WHERE account_id = $1 ORDER BY id', [
      account.id,
    ]);
    expect(rows).toEqual([{ action: 'account.created' }, { action: 'key.created' }]);
  });

  it('cannot be changed, emptied or shortened by a statement', async () => {
    for (const statement of [
      `UPDATE audit_events SET action = 'sign_out'`,
      `UPDATE audit_events SET address = NULL, user_agent = NULL, details = '{}'`,
      'DELETE FROM audit_events',
      'TRUNCATE audit_events',
    ]) {
      await expect(harness.rows(statement), statement).rejects.toThrow(/append-only/);
    }
  });

  it('keeps what a deleted account did, without personal data', async () => {
    const browser = new DashboardClient(harness);
    const { id, email } = await browser.newPerson();
    await browser.call('POST', '/keys', { json: { name: 'Ada’s laptop' } });
    const json = { confirmation: email, password: PASSWORD };
    expect((await browser.call('POST', '/account/delete', { json })).status).toBe(204);
    const rows = await harness.rows<Record<string, unknown>>(
      'SELECT action, actor_kind, address, user_agent, details FROM audit_events WHERE account_id = $1 ORDER BY id',
      [id],
    );
    expect(rows.map(({ action }) => action)).toEqual([
      'account.created',
      'sign_in.succeeded',
      'key.created',
      'account.deleted',
    ]);
    for (const row of rows) expect(row).toMatchObject({ address: null, user_agent: null, details: {} });
  });

  it('loses events that are older than the retention period', async () => {
    await harness.rows(
      `INSERT INTO audit_events (account_id, action, actor_kind, created_at)
       OVERRIDING SYSTEM VALUE SELECT 'acc_old', 'sign_out', 'person', now() - interval '40 days' FROM generate_series(1, 1)`,
    );
    // IDs follow time: the old event must come first, as it does in a log that was written in order.
    const database = harness.app.get(Database);
    const [count] = await harness.rows<{ n: number }>('SELECT count(*)::int AS n FROM audit_events');
    expect(await auditEvents.prune(database, 41, 100_000)).toBe(0);
    expect(await auditEvents.prune(database, 39, 100_000)).toBe(1);
    expect(await harness.rows('SELECT count(*)::int AS n FROM audit_events')).toEqual([{ n: count!.n - 1 }]);
  });
});
