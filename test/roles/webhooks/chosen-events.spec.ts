import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Database, type Queryable } from '../../../src/infra/database/database.js';
import type { EventType } from '../../../src/webhooks/events/event-types.js';
import { writeEvent } from '../../../src/webhooks/events/outbox.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';

let harness: Harness;
let account: TestAccount;
beforeAll(async () => {
  harness = await startHarness();
});
beforeEach(async () => {
  account = await harness.createAccount();
});
afterAll(() => harness?.close());

const write = (tx: Queryable, type: EventType) =>
  writeEvent(tx, { accountId: account.id, type, data: {}, at: new Date() });
const changeChoice = (id: string, events: readonly string[]) =>
  harness.call('PATCH', `/api/webhooks/endpoints/${id}`, { key: account.key, json: { events } });
/** Long enough for a statement that does not wait for a lock. */
const isWaiting = async (work: Promise<unknown>): Promise<boolean> =>
  Promise.race([work.then(() => false), sleep(400).then(() => true)]);

describe('events', () => {
  it('are not written for an account without endpoints', async () => {
    await harness.newJob(account);
    expect(await harness.eventTypes(account)).toEqual([]);
  });

  it('are written for the types and aliases that an endpoint chose, and no others', async () => {
    await harness.newEndpoint(account, { events: ['upload.finished', 'job.completed'] });
    const { id } = await harness.newJob(account);
    await harness.jobs.complete(id);
    expect(await harness.eventTypes(account)).toEqual(['upload.finished', 'job.completed']);
  });

  it('are written for a disabled endpoint, which can recover them later', async () => {
    const { id } = await harness.newEndpoint(account, { events: ['image.uploaded'] });
    await harness.call('PATCH', `/api/webhooks/endpoints/${id}`, {
      key: account.key,
      json: { enabled: false },
    });
    await harness.newSource(account);
    expect(await harness.eventTypes(account)).toEqual(['image.uploaded']);
  });

  it('are not lost when the endpoint commits while the event waits to be written', async () => {
    let writing: Promise<void> | undefined;
    await harness.app.get(Database).transaction(async (tx) => {
      await tx.query(
        `INSERT INTO webhook_endpoints (id, account_id, url, events, metadata, enabled, sealed_secret, previous_secrets, created_at, updated_at)
         VALUES ('we_' || $1, $1, 'https://receiver.example/', '{*}', '{}', true, '', '[]', now(), now())`,
        [account.id],
      );
      writing = write(harness.app.get(Database), 'enhancement.failed');
      expect(await isWaiting(writing)).toBe(true);
    });
    await writing;
    expect(await harness.eventTypes(account)).toEqual(['enhancement.failed']);
  });

  it('block a new endpoint, or a new choice of types, until they are committed', async () => {
    const { id } = await harness.newEndpoint(account, { events: ['image.uploaded'] });
    const waiting: Promise<unknown>[] = [];
    await harness.app.get(Database).transaction(async (tx) => {
      await write(tx, 'enhancement.failed');
      waiting.push(changeChoice(id, ['enhancement.failed']), harness.newEndpoint(account));
      for (const work of waiting) expect(await isWaiting(work)).toBe(true);
      // The transaction that writes the event is not blocked.
      await tx.query('SELECT 1');
    });
    await Promise.all(waiting);
    expect(await harness.eventTypes(account)).toEqual([]);
    await write(harness.app.get(Database), 'enhancement.failed');
    expect(await harness.eventTypes(account)).toEqual(['enhancement.failed']);
  });

  it('do not wait for an endpoint of another account', async () => {
    const other = await harness.createAccount();
    await harness.newEndpoint(other);
    await harness.app.get(Database).transaction(async (tx) => {
      await write(tx, 'enhancement.failed');
      await harness.newSource(other);
    });
    expect(await harness.eventTypes(other)).toEqual(['image.uploaded', 'upload.finished']);
  });
});
