import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { AccountErasureRepository } from '../../../src/accounts/account-erasure.repository.js';
import { Retention } from '../../../src/dispatcher/retention/retention.js';
import { readConfig } from '../../../src/config/env.js';
import { Database } from '../../../src/infra/database/database.js';
import { newId } from '../../../src/kernel/ids.js';
import { testAccountOf } from '../../../src/kernel/accounts/livemode.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';

const HOUR_MS = 3_600_000;

let harness: Harness;
let live: TestAccount;
let test: TestAccount;
beforeAll(async () => {
  harness = await startHarness();
  live = await harness.createAccount();
  const { key, id: keyId } = await harness.createKey(live, { livemode: false });
  test = { id: testAccountOf(live.id), key, keyId };
});
afterAll(() => harness?.close());

/** Gives an upload and its failed job ids of this age. */
async function aged(account: TestAccount, hours: number): Promise<{ source: string; job: string }> {
  const { id, sourceUrl } = await harness.newJob(account);
  await harness.jobs.fail(id);
  const at = Date.now() - hours * HOUR_MS;
  const [source, job] = [newId('source', at), newId('job', at)];
  const [, oldSource] = /(src_[0-9a-f]{32})/.exec(sourceUrl)!;
  await harness.rows(
    `INSERT INTO sources SELECT (jsonb_populate_record(s, jsonb_build_object('id', $2::text))).* FROM sources s WHERE id = $1`,
    [oldSource, source],
  );
  await harness.rows('UPDATE jobs SET id = $2, source_id = $3 WHERE id = $1', [id, job, source]);
  await harness.rows('DELETE FROM sources WHERE id = $1', [oldSource]);
  return { source, job };
}

const sourceIsThere = async (id: string): Promise<boolean> =>
  (await harness.rows('SELECT 1 FROM sources WHERE id = $1 AND deleted_at IS NULL', [id])).length === 1;
const jobIsThere = async (id: string): Promise<boolean> =>
  (await harness.rows('SELECT 1 FROM jobs WHERE id = $1', [id])).length === 1;

describe('retention in test mode', () => {
  it('deletes uploads after a day and jobs after a week, in test mode only', async () => {
    const young = await aged(test, 23);
    const day = await aged(test, 25);
    const week = await aged(test, 24 * 7 + 1);
    const deleted = await aged(test, 24 * 7 + 1);
    await harness.rows('UPDATE jobs SET deleted_at = now() WHERE id = $1', [deleted.job]);
    const ofLive = await aged(live, 24 * 8);
    await new Retention(harness.app.get(Database), readConfig({})).run(new AbortController().signal);
    const seen = async ({ source, job }: { source: string; job: string }) => [
      await sourceIsThere(source),
      await jobIsThere(job),
    ];
    expect(await seen(young)).toEqual([true, true]);
    expect(await seen(day)).toEqual([false, true]);
    expect(await seen(week)).toEqual([false, false]);
    expect(await seen(deleted), 'deleted by its owner').toEqual([false, false]);
    expect(await seen(ofLive)).toEqual([true, true]);
    const erasures = await harness.rows(`SELECT 1 FROM object_erasures WHERE object_key LIKE 'sources/%'`);
    expect(erasures).toHaveLength(3);
  });
});

describe('a dispatcher whose clock is a day ahead', () => {
  it('keeps uploads of test mode for their day', async () => {
    const young = await aged(test, 1);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 24 * HOUR_MS });
    onTestFinished(() => void vi.useRealTimers());
    await new Retention(harness.app.get(Database), readConfig({})).run(new AbortController().signal);
    expect(await sourceIsThere(young.source)).toBe(true);
  });
});

describe('the deletion of an account', () => {
  it('also deletes its test mode', async () => {
    const { id } = await harness.newJob(test);
    await harness.app
      .get(Database)
      .transaction((tx) => harness.app.get(AccountErasureRepository).erase(tx, live.id));
    expect(await harness.rows('SELECT 1 FROM accounts WHERE id = ANY ($1)', [[live.id, test.id]])).toEqual(
      [],
    );
    expect(await jobIsThere(id)).toBe(false);
    expect((await harness.call('GET', '/api/usage', { key: test.key })).status).toBe(401);
  });
});
