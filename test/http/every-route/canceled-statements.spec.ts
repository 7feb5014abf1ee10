import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';
import { KEY_ROUTES, pathFor } from '../../support/app/routes.js';
import { FlowDatabase } from '../../support/database/flow-database.js';

let harness: Harness;
let account: TestAccount;
let others: FlowDatabase;
beforeAll(async () => {
  harness = await startHarness({
    databaseUrl: async (real) => {
      others = new FlowDatabase(real);
      // Statements are canceled as after the 30 seconds that they may take, only sooner.
      await others.rows(
        `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET lock_timeout = 300', current_database()); END $$`,
      );
      return real;
    },
  });
  account = await harness.createAccount();
});
afterAll(async () => {
  await harness.close();
  await others.close();
});

/** Runs `work` while nobody else can read or write a table. */
function whileLocked<T>(table: string, work: () => Promise<T>): Promise<T> {
  return others.whileHeld(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`, [], work);
}

/** A 503 that PostgreSQL caused by canceling a statement, with what it says about the outcome. */
const unavailable = (detail: RegExp): object => ({
  status: 503,
  headers: { 'retry-after': '5' },
  body: { code: 'service_unavailable', detail: expect.stringMatching(detail) },
});

describe('503 when PostgreSQL cancels a statement that waits for too long', () => {
  it('is returned by every route', async () => {
    const { key } = account;
    const paths = new Map<string, string>();
    for (const route of KEY_ROUTES) paths.set(route.operationId, await pathFor(route, harness, account));
    const before = await harness.footprint();
    await whileLocked('api_keys', async () => {
      const answers = KEY_ROUTES.map(async ({ method, operationId }) => {
        const { status, headers, body } = await harness.call(method, paths.get(operationId)!, { key });
        return { operationId, status, headers, body };
      });
      for (const answer of await Promise.all(answers))
        expect(answer).toMatchObject(unavailable(/Nothing was changed/));
    });
    expect(await harness.footprint()).toEqual(before);
  });

  it('says what is known about the outcome, and a retry with the same key carries it out once', async () => {
    const { url: sourceUrl } = await harness.newSource(account);
    const { id } = await harness.newJob(account);
    const order = { sourceUrl, operation: 'upscale' };
    const headers = { 'idempotency-key': 'once' };
    const before = await harness.footprint();
    await whileLocked('jobs', async () => {
      const read = harness.call('GET', `/api/ai/enhance/${id}`, { key: account.key });
      expect(await read).toMatchObject(unavailable(/Nothing was changed/));
      expect(await harness.createJob(account.key, order)).toMatchObject(
        unavailable(/may have been carried out\. Check before you retry/),
      );
      expect(await harness.createJob(account.key, order, headers)).toMatchObject(
        unavailable(/Retry with the same Idempotency-Key/),
      );
    });
    expect(await harness.footprint()).toEqual(before);
    expect((await harness.createJob(account.key, order, headers)).status).toBe(201);
    expect((await harness.footprint()).jobs).toBe(before.jobs + 1);
  });
});
