import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/config/env.js';
import { Retention } from '../../../src/dispatcher/retention/retention.js';
import { OLD_SOURCES } from '../../../src/dispatcher/retention/retention.sql.js';
import { OLD_TEST_SOURCES } from '../../../src/dispatcher/retention/test-mode.sql.js';
import { Database } from '../../../src/infra/database/database.js';
import { newId } from '../../../src/kernel/ids.js';
import { testAccountOf } from '../../../src/kernel/accounts/livemode.js';
import { JobsRepository } from '../../../src/jobs/jobs.repository.js';
import { FileUrls } from '../../../src/uploads/files/file-urls.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';

const DAY_MS = 86_400_000;
const FINISHED_JOBS = 5_000;

describe('uploads that waiting jobs use as a mask or background', () => {
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

  /** The id of an upload that is 40 days old. */
  async function oldSource(account: TestAccount): Promise<string> {
    const { id } = await harness.newSource(account);
    const at = Date.now() - 40 * DAY_MS;
    const [row] = await harness.rows<{ id: string }>(
      'UPDATE sources SET id = $2, created_at = to_timestamp($3::float8 / 1000) WHERE id = $1 RETURNING id',
      [id, newId('source', at), at],
    );
    return row!.id;
  }

  /** A waiting job with these uploads. */
  async function jobWith(account: TestAccount, mask: string, background: string): Promise<string> {
    const { id } = await harness.newJob(account);
    await harness.rows(
      `UPDATE jobs SET steps = jsonb_build_array(jsonb_build_object('mask', jsonb_build_object('sourceId', $2::text))),
              output = jsonb_set(output, '{background}', jsonb_build_object('sourceId', $3::text)) WHERE id = $1`,
      [id, mask, background],
    );
    return id;
  }

  async function addFinishedJobs(id: string): Promise<void> {
    await harness.rows(
      `INSERT INTO jobs SELECT (jsonb_populate_record(j, jsonb_build_object('id', 'job_' || md5(n::text)))).*
         FROM jobs j, generate_series(1, $2::int) n WHERE j.id = $1`,
      [id, FINISHED_JOBS],
    );
    await harness.rows('ANALYZE jobs');
  }

  const clean = () =>
    new Retention(harness.app.get(Database), readConfig({ RETENTION_SOURCE_DAYS: '30' })).run(
      new AbortController().signal,
    );
  const left = async (ids: readonly string[]) =>
    (
      await harness.rows<{ id: string }>(
        'SELECT id FROM sources WHERE id = ANY ($1) AND deleted_at IS NULL',
        [ids],
      )
    ).map(({ id }) => id);

  it.each(['live', 'test'] as const)('are kept until the job ends, in %s mode', async (mode) => {
    const account = mode === 'live' ? live : test;
    const [mask, background, unused] = [
      await oldSource(account),
      await oldSource(account),
      await oldSource(account),
    ];
    const job = await jobWith(account, mask, background);
    await clean();
    expect((await left([mask, background, unused])).toSorted()).toEqual([mask, background].toSorted());
    await harness.jobs.fail(job);
    await clean();
    expect(await left([mask, background])).toEqual([]);
  });

  it.each(['live', 'test'] as const)('are kept while a preset has them, in %s mode', async (mode) => {
    const account = mode === 'live' ? live : test;
    const [background, unused] = [await oldSource(account), await oldSource(account)];
    const sourceUrl = harness.app.get(FileUrls).sign(background, 'jpeg');
    const output = { background: { sourceUrl } };
    await harness.newPreset(account, 'scene', { operations: [{ operation: 'bg_remove' }], output });
    await clean();
    expect(await left([background, unused])).toEqual([background]);
    const database = harness.app.get(Database);
    await database.transaction((tx) => harness.app.get(JobsRepository).eraseSource(tx, background));
    expect(await left([background])).toEqual([background]);
    await harness.newPreset(account, 'scene');
    await clean();
    expect(await left([background])).toEqual([]);
  });

  it('are kept when another job delivers them', async () => {
    const [mask, background, unused] = [await oldSource(live), await oldSource(live), await oldSource(live)];
    await jobWith(live, mask, background);
    const database = harness.app.get(Database);
    for (const id of [mask, background, unused])
      await database.transaction((tx) => harness.app.get(JobsRepository).eraseSource(tx, id));
    expect((await left([mask, background, unused])).toSorted()).toEqual([mask, background].toSorted());
  });

  it('are found without reading finished jobs', async () => {
    const { id } = await harness.newJob(live);
    await harness.jobs.fail(id);
    await addFinishedJobs(id);
    for (const [{ text }, values] of [
      [OLD_SOURCES, ['', 'src_f', JSON.stringify({ free: 30 })]],
      [OLD_TEST_SOURCES, ['src_f']],
    ] as const) {
      const plan = await harness.rows<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, [...values]);
      const lines = plan.map((row) => row['QUERY PLAN']).join('\n');
      expect(lines).toContain('jobs_masks');
      expect(lines).toContain('jobs_background');
      expect(lines).not.toContain('Seq Scan on jobs');
      expect(lines).toContain('presets_pkey');
    }
  });
});
