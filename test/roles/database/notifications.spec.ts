import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../support/database/postgres.js';
import { Notifications } from '../../../src/infra/database/notifications.js';

let database: TestDatabase;
let admin: pg.Client;
let notifications: Notifications;

beforeEach(async () => {
  database = await createTestDatabase();
  admin = new pg.Client({ connectionString: database.databaseUrl });
  await admin.connect();
  notifications = new Notifications({
    databaseUrl: database.databaseUrl,
    applicationName: 'spec',
    warn: () => undefined,
  });
});

afterEach(async () => {
  await notifications.close();
  await admin.end();
  await database.drop();
});

function heard(channel: string): { payloads: (string | null)[]; end: () => void } {
  const payloads: (string | null)[] = [];
  return { payloads, end: notifications.subscribe(channel, (payload) => payloads.push(payload)) };
}

const listeners = () =>
  admin.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE application_name = 'spec-listen' AND datname = current_database()`,
  );

describe('notifications', () => {
  it('notify every listener of a channel after a commit, over one connection', async () => {
    const first = heard('spec_a');
    const second = heard('spec_a');
    const other = heard('spec_b');
    await expect.poll(() => first.payloads.length + other.payloads.length).toBe(2);
    await admin.query(`SELECT pg_notify('spec_a', 'x')`);
    await expect.poll(() => first.payloads).toEqual([null, 'x']);
    expect(second.payloads).toEqual([null, 'x']);
    expect(other.payloads).toEqual([null]);
    expect((await listeners()).rowCount).toBe(1);
  });

  it('are not sent after a rollback or after the end of a subscription', async () => {
    const { payloads, end } = heard('spec_a');
    await expect.poll(() => payloads).toEqual([null]);
    await admin.query(`BEGIN; SELECT pg_notify('spec_a', 'undone'); ROLLBACK`);
    await admin.query(`SELECT pg_notify('spec_a', 'kept')`);
    await expect.poll(() => payloads).toEqual([null, 'kept']);
    end();
    const witness = heard('spec_a');
    await admin.query(`SELECT pg_notify('spec_a', 'late')`);
    await expect.poll(() => witness.payloads).toContain('late');
    expect(payloads).toEqual([null, 'kept']);
  });

  it('resume after a lost connection, and report that some may have been missed', async () => {
    const { payloads } = heard('spec_a');
    await expect.poll(() => payloads).toEqual([null]);
    for (const { pid } of (await listeners()).rows)
      await admin.query('SELECT pg_terminate_backend($1)', [pid]);
    await admin.query(`SELECT pg_notify('spec_a', 'unheard')`);
    await expect.poll(() => payloads.filter((payload) => payload === null)).toHaveLength(2);
    await admin.query(`SELECT pg_notify('spec_a', 'heard')`);
    await expect.poll(() => payloads.at(-1)).toBe('heard');
  });

  it('reject a channel that is not a plain name', () => {
    expect(() => notifications.subscribe('a; DROP TABLE jobs', () => undefined)).toThrow(RangeError);
  });
});
