import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AccountEraser } from '../../../src/accounts/account-eraser.js';
import { Database } from '../../../src/infra/database/database.js';
import { Operators } from '../../../src/operator/operators.js';
import { UsageReports } from '../../../src/quotas/reports/usage-reports.js';
import { SERVICE_EVENT_CATALOG } from '../../../src/webhooks/events/schemas/event-catalog.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';

const TYPE = 'usage.recorded';
const KEY = `key_${'7'.repeat(32)}`;
const DAY_MS = 86_400_000;
const dayBefore = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

let harness: Harness;
let billing: TestAccount;
let customer: TestAccount;
let email: string;
let reports: UsageReports;

/** Needs its own database: it counts the events of all operators. */
beforeAll(async () => {
  harness = await startHarness();
  reports = new UsageReports(harness.app.get(Database));
});
afterAll(() => harness.close());
beforeEach(async () => {
  await harness.rows('UPDATE accounts SET operator_since = NULL');
  await harness.rows('DELETE FROM operation_days');
  await harness.rows('DELETE FROM usage_reports');
  billing = await harness.createAccount();
  await new Operators(harness.app.get(Database)).set(billing.id, true);
  customer = await harness.createAccount();
  const [row] = await harness.rows<{ email: string }>('SELECT email FROM accounts WHERE id = $1', [
    customer.id,
  ]);
  email = row!.email;
});

const choose = async () => {
  const json = { url: 'https://receiver.example/hook', events: [TYPE] };
  const { status } = await harness.call('POST', '/api/webhooks/endpoints', { key: billing.key, json });
  expect(status).toBe(201);
};
const use = (day: string, key: string, operation: string, count: number, id = customer.id) =>
  harness.rows(
    'INSERT INTO operation_days (account_id, day, key_id, operation, count) VALUES ($1, $2, $3, $4, $5)',
    [id, day, key, operation, count],
  );
/** Acts as if an endpoint had chosen the event on that day. */
const startOn = (day: string) => harness.rows('INSERT INTO usage_reports (day) VALUES ($1)', [day]);
const position = async () => {
  const rows = await harness.rows<{ day: string }>(
    `SELECT to_char(day, 'YYYY-MM-DD') AS day FROM usage_reports`,
  );
  return rows.map(({ day }) => day);
};
const written = async () => {
  const rows = await harness.rows<{ type: string; data: { usage: { day: string; accountId: string } } }>(
    'SELECT type, data FROM events WHERE account_id = $1 ORDER BY id',
    [billing.id],
  );
  expect(new Set(rows.map(({ type }) => type))).toEqual(new Set(rows.length > 0 ? [TYPE] : []));
  return rows.map(({ data }) => data);
};

describe('usage.recorded', () => {
  it('is written once per account and day, whatever the number of dispatchers', async () => {
    await choose();
    const day = dayBefore(3);
    await startOn(day);
    await use(day, KEY, 'upscale', 40);
    await use(day, '', 'bg_remove', 2);
    await use(day, '', 'upscale', 0);
    await use(day, KEY, 'upscale', 0, billing.id);
    await Promise.all([1, 2, 3].map(() => reports.writeDue()));
    await reports.writeDue();
    const [data, ...others] = await written();
    expect(others).toEqual([]);
    expect(data).toEqual({
      usage: {
        accountId: customer.id,
        accountName: email,
        day,
        enhancements: 42,
        items: [
          { keyId: null, operation: 'bg_remove', enhancements: 2 },
          { keyId: KEY, operation: 'upscale', enhancements: 40 },
        ],
      },
    });
    const { schema } = SERVICE_EVENT_CATALOG.find(({ type }) => type === TYPE)!;
    const ofData = (schema as { properties: { data: object } }).properties.data;
    const validate = new Ajv2020({ strict: true, allowUnionTypes: true, validateFormats: false }).compile(
      ofData,
    );
    expect(validate(data), JSON.stringify(validate.errors)).toBe(true);
  });

  it('starts with the day on which an operator chose it, once that day has ended', async () => {
    await use(dayBefore(1), KEY, 'upscale', 1);
    await use(dayBefore(0), KEY, 'upscale', 1);
    await reports.writeDue();
    expect(await position()).toEqual([]);
    await choose();
    const before = dayBefore(0);
    await reports.writeDue();
    // Midnight may have passed meanwhile.
    expect([before, dayBefore(0)]).toContain((await position())[0]);
    expect(await written()).toEqual([]);
  });

  it('is written for every account, page by page', async () => {
    await choose();
    const day = dayBefore(3);
    await startOn(day);
    const made = 1_100;
    await harness.rows(
      `INSERT INTO accounts (id, email, plan)
       SELECT 'acc_' || lpad(to_hex(n), 32, '0'), 'page-' || n || '@example.com', 'free' FROM generate_series(1, $1::int) n`,
      [made],
    );
    await harness.rows(
      `INSERT INTO operation_days (account_id, day, key_id, operation, count)
       SELECT id, $1, '', 'upscale', 1 FROM accounts WHERE email LIKE 'page-%'`,
      [day],
    );
    await Promise.all([1, 2].map(() => reports.writeDue()));
    const accounts = (await written()).map(({ usage }) => usage.accountId);
    expect(accounts).toHaveLength(made);
    expect(new Set(accounts).size).toBe(made);
    expect((await position())[0]! > day).toBe(true);
  });

  it('is written for the remaining days of an account that is deleted, without unfinished jobs', async () => {
    await choose();
    await startOn(dayBefore(3));
    for (const days of [4, 3, 1]) await use(dayBefore(days), KEY, 'upscale', days);
    await harness.jobs.complete((await harness.newJob(customer)).id);
    await harness.newJob(customer);
    await harness.app.get(AccountEraser).erase(customer.id);
    const usages = (await written()).map(({ usage }) => usage).toSorted((a, b) => (a.day < b.day ? -1 : 1));
    expect(usages).toMatchObject([
      { accountName: email, day: dayBefore(3), enhancements: 3 },
      { accountName: email, day: dayBefore(1), enhancements: 1 },
      { accountName: email, enhancements: 1, items: [{ keyId: customer.keyId, operation: 'upscale' }] },
    ]);
    await reports.writeDue();
    expect(await written()).toHaveLength(3);
  });

  it('is not written twice for an account that is deleted', async () => {
    await choose();
    await startOn(dayBefore(3));
    await use(dayBefore(3), KEY, 'upscale', 3);
    await harness.rows('UPDATE usage_reports SET after_account = $1', [customer.id]);
    await harness.app.get(AccountEraser).erase(customer.id);
    expect(await written()).toEqual([]);
  });

  it('leaves out days that are more than a week ago', async () => {
    await choose();
    await startOn(dayBefore(30));
    for (const days of [30, 12, 5]) await use(dayBefore(days), KEY, 'upscale', days);
    await reports.writeDue();
    expect((await written()).map(({ usage }) => usage.day)).toEqual([dayBefore(5)]);
  });
});
