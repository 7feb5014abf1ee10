import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditLog } from '../../../src/audit/audit-log.js';
import { Database } from '../../../src/infra/database/database.js';
import type { OperatorAuditListDto } from '../../../src/operator/audit/operator-audit.dto.js';
import { Operators } from '../../../src/operator/operators.js';
import { DashboardClient } from '../../support/app/dashboard-client.js';
import { type Harness, startHarness } from '../../support/app/harness.js';

/** More than one page of an export. */
const MANY = 2_345;

let harness: Harness;
let operator: DashboardClient;
let ids: { readonly operator: string; readonly customer: string };
/** Needs its own database: it reads and counts all events. */
beforeAll(async () => {
  harness = await startHarness();
  operator = new DashboardClient(harness);
  const { id } = await operator.signInto(await harness.createAccount());
  await new Operators(harness.app.get(Database)).set(id, true);
  ids = { operator: id, customer: (await harness.createAccount()).id };
});
afterAll(() => harness.close());

const call = (path: string) =>
  harness.call('GET', `/operator/api/audit${path}`, { headers: { cookie: operator.cookie! } });

async function list(query = ''): Promise<OperatorAuditListDto> {
  const { status, text, body } = await call(query);
  expect(status, text).toBe(200);
  return body as OperatorAuditListDto;
}

const emailOf = async (id: string): Promise<string> =>
  (await harness.rows<{ email: string }>('SELECT email FROM accounts WHERE id = $1', [id]))[0]!.email;

/** Events of one account, oldest first. */
const record = (accountId: string | null, count: number, action = 'sign_out'): Promise<unknown> =>
  harness.rows(
    `INSERT INTO audit_events (account_id, action, actor_kind, actor_id, user_agent, created_at)
     SELECT $1, $3, 'person', $1, '=cmd|''/c calc''!A1', now() - ($2::int - n) * interval '1 second'
       FROM generate_series(1, $2::int) n`,
    [accountId, count, action],
  );

describe('the audit log of all accounts', () => {
  it('lists events of every account with the email of account and actor, page by page', async () => {
    await record(ids.customer, 3);
    await record(null, 1, 'secrets.rotated');
    const all = await list('?limit=100');
    expect(new Set(all.data.map(({ accountId }) => accountId))).toEqual(
      new Set([ids.operator, ids.customer, null]),
    );
    const email = await emailOf(ids.customer);
    expect(all.data.find(({ accountId }) => accountId === ids.customer)).toMatchObject({
      accountEmail: email,
      actorEmail: email,
      title: 'Signed out',
    });
    const first = await list('?limit=2');
    const second = await list(`?limit=2&cursor=${first.nextCursor!}`);
    expect([...first.data, ...second.data]).toEqual(all.data.slice(0, 4));
  });

  it('filters by account, action and time', async () => {
    const email = encodeURIComponent((await emailOf(ids.customer)).toUpperCase());
    const byEmail = await list(`?account=${email}&action=sign_out`);
    expect(byEmail.data.length).toBeGreaterThanOrEqual(3);
    expect(await list(`?account=${ids.customer}&action=sign_out`)).toEqual(byEmail);
    expect((await list('?action=secrets')).data.map(({ action }) => action)).toEqual(['secrets.rotated']);
    const middle = byEmail.data[1]!.createdAt;
    const newer = await list(`?account=${email}&action=sign_out&since=${middle}`);
    const older = await list(`?account=${email}&action=sign_out&until=${middle}`);
    expect([...newer.data, ...older.data].map(({ id }) => id)).toEqual(byEmail.data.map(({ id }) => id));
    expect(newer.data.length).toBeGreaterThan(0);
    expect(older.data.length).toBeGreaterThan(0);
  });

  it.each([
    ['?account=nobody@example.com', 'account'],
    ['?account=', 'account'],
    ['?account=%00', 'account'],
    ['/export?account=%00', 'account'],
    ['?action=keys', 'action'],
    ['?since=yesterday', 'since'],
    ['/export?format=xlsx', 'format'],
    ['/export?until=2026', 'until'],
  ])('refuses %s', async (query, field) => {
    const { status, body } = await call(query);
    expect({ status, body: body as unknown }).toMatchObject({ status: 400, body: { errors: [{ field }] } });
  });
});

describe('the time of an event', () => {
  it('is not before those of earlier events, even if its transaction began before them', async () => {
    const entry = { action: 'sign_out', accountId: ids.customer } as const;
    const database = harness.app.get(Database);
    await database.transaction(async (tx) => {
      await tx.query('SELECT now()');
      await auditLog.record(database, { ...entry, targetId: 'first' });
      await auditLog.record(tx, { ...entry, targetId: 'second' });
    });
    const events = await harness.rows(
      `SELECT target_id FROM audit_events WHERE target_id IN ('first', 'second') ORDER BY created_at`,
    );
    expect(events).toEqual([{ target_id: 'first' }, { target_id: 'second' }]);
  });
});

describe('the export', () => {
  it('contains every matching event, newest first, in both formats, and is recorded itself', async () => {
    const { id } = await harness.createAccount();
    await record(id, MANY);
    const ndjson = await call(`/export?format=ndjson&account=${id}&action=sign_out`);
    expect(ndjson.headers['content-type']).toContain('application/x-ndjson');
    const lines = ndjson.text.trimEnd().split('\n');
    const exported = lines.map((line) => (JSON.parse(line) as { id: string }).id);
    const stored = await harness.rows<{ id: string }>(
      `SELECT id FROM audit_events WHERE account_id = $1 AND action = 'sign_out' ORDER BY audit_events.id DESC`,
      [id],
    );
    expect(exported).toEqual(stored.map((row) => row.id));
    expect(exported).toHaveLength(MANY);
    const csv = await call(`/export?account=${id}&action=sign_out`);
    expect(csv.headers['content-disposition']).toMatch(/^attachment; filename="audit-\d{4}-\d\d-\d\d\.csv"$/);
    const rows = csv.text.trimEnd().split('\r\n');
    expect(rows).toHaveLength(1 + MANY);
    expect(rows[1]).toContain(`'=cmd|'/c calc'!A1`);
    const { data } = await list('?action=audit.exported');
    expect(data).toHaveLength(2);
    expect(data[0]).toMatchObject({
      actorId: ids.operator,
      details: { format: 'csv', accountId: id, action: 'sign_out' },
    });
  });

  it('breaks off when the database fails midway, so that nobody mistakes a part for the whole', async () => {
    const { id } = await harness.createAccount();
    // More than the socket buffers hold, so that the service has to wait for the reader.
    await harness.rows(
      `INSERT INTO audit_events (account_id, action, actor_kind, user_agent)
       SELECT $1, 'sign_out', 'person', repeat('x', 400) FROM generate_series(1, 60000)`,
      [id],
    );
    const answer = await fetch(`${harness.url}/operator/api/audit/export?account=${id}`, {
      headers: { cookie: operator.cookie! },
    });
    expect(answer.status).toBe(200);
    const reader = answer.body!.getReader();
    expect((await reader.read()).done).toBe(false);
    await harness.rows('ALTER TABLE audit_events RENAME TO audit_events_away');
    const readAll = async (): Promise<void> => {
      while (!(await reader.read()).done);
    };
    try {
      await expect(readAll()).rejects.toThrow(/terminated|aborted|reset/);
    } finally {
      await harness.rows('ALTER TABLE audit_events_away RENAME TO audit_events');
    }
  });
});
