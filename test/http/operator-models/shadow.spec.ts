import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../../src/infra/database/database.js';
import type {
  ConsoleModelsDto,
  ConsoleOperationDto,
} from '../../../src/operator/models/console-models.dto.js';
import type { ShadowFiguresDto } from '../../../src/operator/models/shadow.dto.js';
import type { ModelPresence } from '../../../src/models/serving/model-presence.js';
import {
  type ShadowComparison,
  ShadowFiguresRepository,
} from '../../../src/models/serving/shadow/shadow-figures.repository.js';
import { type Harness, startHarness } from '../../support/app/harness.js';
import { OperatorClient } from '../../support/app/operator-client.js';
import { announceWorker } from '../../support/models/announced-models.js';

const PATH = '/models/upscale/shadow';

let harness: Harness;
let operator: OperatorClient;
let figures: ShadowFiguresRepository;
const workers: ModelPresence[] = [];

/** Needs its own database: the workers serve all accounts. */
beforeAll(async () => {
  harness = await startHarness();
  operator = await OperatorClient.start(harness);
  figures = new ShadowFiguresRepository(harness.app.get(Database));
  workers.push(await announceWorker(harness, 2, [1, 2, 3]));
});
afterAll(async () => {
  for (const worker of workers) await worker.onApplicationShutdown();
  await harness.close();
});

const upscale = async (): Promise<ConsoleOperationDto> =>
  (await operator.get<ConsoleModelsDto>('/models')).data.find(({ operation }) => operation === 'upscale')!;
const set = (json: object) => operator.call('PUT', PATH, { json });
const stop = (version: number) => operator.call('POST', `${PATH}/stop`, { json: { version } });
const read = () => operator.get<ShadowFiguresDto>(PATH);
const refOf = async () => {
  const [row] = await harness.rows<{ since: string }>(
    `SELECT shadow_since::text AS since FROM model_choices WHERE operation = 'upscale'`,
  );
  return { operation: 'upscale', version: 3, serving: 2, since: row!.since };
};
const found = (percent: number, more: Partial<ShadowComparison> = {}): ShadowComparison => ({
  isMatte: false,
  percent,
  squaredError: percent,
  servingMs: 100,
  shadowMs: 150,
  ...more,
});
const audited = async () =>
  (
    await harness.rows<{ event: string }>(
      `SELECT concat(action, ' ', details->>'from', ' > ', details->>'to') AS event FROM audit_events
        WHERE action LIKE 'model.%' ORDER BY id`,
    )
  ).map(({ event }) => event);

describe('/operator/api/models/{operation}/shadow', () => {
  it('starts once, pins the version that serves, and lists the workers that have loaded it', async () => {
    expect((await operator.call('GET', PATH)).status).toBe(404);
    const answers = await Promise.all(Array.from({ length: 8 }, () => set({ version: 3, percent: 50 })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    workers.push(await announceWorker(harness, 2, [1, 2, 3], {}, { shadow: 3 }));
    const { shadow, versions, ...one } = await upscale();
    expect(one).toMatchObject({ offered: 2, chosen: 2, canary: null });
    expect(shadow).toEqual({
      version: 3,
      percent: 50,
      since: expect.any(String) as string,
      loadedOn: [workers[1]!.workerId],
      missingOn: [workers[0]!.workerId],
    });
    expect(versions.map(({ version, state }) => [version, state])).toEqual([
      ['3', 'shadow'],
      ['2', 'serving'],
      ['1', 'idle'],
    ]);
    expect(await audited()).toEqual(['model.shadow_started 2 > 3 (50%)']);
    expect(await read()).toEqual({
      version: 3,
      serving: 2,
      compared: 0,
      dropped: 0,
      failed: 0,
      lost: 0,
      isPaused: false,
      lastFailure: null,
      measure: null,
      medianPercent: null,
      worstPercent: null,
      psnrDb: null,
      servingMs: null,
      shadowMs: null,
      timeRatio: null,
    });
  });

  it('is invisible to customers', async () => {
    const account = await harness.createAccount();
    const seen = await Promise.all(
      ['/api/ai/operations', '/health/models'].map(async (path) =>
        JSON.stringify((await harness.call('GET', path, { key: account.key })).body),
      ),
    );
    seen.push(JSON.stringify((await operator.browser.call('GET', '/models')).body));
    for (const text of seen) {
      expect(text).toMatch(/"version":2[,}]/);
      expect(text).not.toMatch(/"version":3[,}]|shadow/);
    }
    const { url: sourceUrl } = await harness.newSource(account);
    const pinned = { sourceUrl, operation: 'upscale', model: 'upscale@3' };
    const { status, body } = await harness.createJob(account.key, pinned);
    expect({ status, errors: body['errors'] }).toMatchObject({
      status: 400,
      errors: [{ field: 'model', code: 'not_served' }],
    });
  });

  it('summarizes what workers find', async () => {
    const ref = await refOf();
    const worker = workers[1]!.workerId;
    for (const percent of [0.5, 0.5, 4]) {
      expect(await figures.begin(worker, ref)).toBe(true);
      await figures.compared(worker, ref, found(percent));
    }
    expect(await figures.begin(worker, ref)).toBe(true);
    await figures.failed(worker, ref, 'no_subject_found');
    await figures.dropped(ref, 7);
    const seen = await read();
    expect(seen).toMatchObject({
      compared: 3,
      dropped: 7,
      failed: 1,
      lost: 0,
      lastFailure: 'no_subject_found',
    });
    expect(seen).toMatchObject({
      measure: 'color',
      worstPercent: 4,
      servingMs: 100,
      shadowMs: 150,
      timeRatio: 1.5,
    });
    expect(Math.abs(seen.medianPercent! - 0.5)).toBeLessThan(0.025);
    expect(seen.psnrDb).toBeCloseTo(10 * Math.log10((255 * 255) / (5 / 3)), 6);
    expect(await harness.rows('SELECT * FROM model_shadow_runs')).toEqual([]);
  });

  it('keeps its figures while the share changes', async () => {
    expect((await set({ version: 3, percent: 100 })).status).toBe(200);
    expect(await read()).toMatchObject({ compared: 3, dropped: 7 });
    expect((await audited()).at(-1)).toBe('model.shadow_changed 3 (50%) > 3 (100%)');
  });

  it('runs once at a time per machine, and pauses after three workers are lost', async () => {
    const ref = await refOf();
    const [first, second] = workers.map(({ workerId }) => workerId);
    expect(await figures.begin(first!, ref)).toBe(true);
    // Both workers of this spec are on this machine.
    expect(await figures.begin(second!, ref)).toBe(false);
    expect(await figures.begin(first!, ref)).toBe(true);
    await figures.end(first!);
    await harness.rows(
      `INSERT INTO model_shadow_runs (worker_id, operation, since)
       SELECT 'wrk_dead' || n, 'upscale', $1::timestamptz FROM generate_series(1, 2) n`,
      [ref.since],
    );
    expect(await read()).toMatchObject({ lost: 2, isPaused: false });
    expect(await figures.begin(second!, ref)).toBe(true);
    await figures.end(second!);
    await harness.rows(`INSERT INTO model_shadow_runs VALUES ('wrk_dead3', 'upscale', $1::timestamptz)`, [
      ref.since,
    ]);
    expect(await read()).toMatchObject({ lost: 3, isPaused: true });
    expect(await figures.begin(second!, ref)).toBe(false);
  });

  it('excludes a canary, and is refused for the serving version or one that no worker has', async () => {
    const canary = (json: object) => operator.call('PUT', '/models/upscale/canary', { json });
    expect((await canary({ version: 1, percent: 5 })).body).toMatchObject({
      code: 'version_unavailable',
      detail:
        'upscale/3 is a shadow. Stop it first: an operation has a canary or a shadow. Nothing was changed.',
    });
    expect((await set({ version: 2, percent: 5 })).body).toMatchObject({
      code: 'version_unavailable',
      detail: 'upscale/2 serves all jobs already. Nothing was changed.',
    });
    expect((await set({ version: 8, percent: 5 })).status).toBe(409);
    for (const json of [
      { version: 1 },
      { version: 1, percent: 0 },
      { version: 1, percent: 101 },
      { percent: 5 },
    ])
      expect((await set(json)).status).toBe(400);
    expect((await upscale()).shadow).toMatchObject({ version: 3, percent: 100 });
  });

  it('stops once, only with its own version, and does not count late results', async () => {
    const ref = await refOf();
    expect((await stop(1)).body).toMatchObject({
      code: 'shadow_changed',
      detail: 'The shadow is now upscale/3. Nothing was changed.',
    });
    const stopped = await Promise.all([stop(3), stop(3)]);
    expect(stopped.map(({ status }) => status)).toEqual([200, 200]);
    expect(await upscale()).toMatchObject({ chosen: 2, shadow: null });
    expect((await audited()).at(-1)).toBe('model.shadow_stopped 3 (100%) > 2');
    expect((await operator.call('GET', PATH)).status).toBe(404);
    expect(await figures.begin(workers[1]!.workerId, ref)).toBe(false);
    await set({ version: 3, percent: 10 });
    await figures.compared(workers[1]!.workerId, ref, found(9));
    await figures.dropped(ref, 5);
    expect(await read()).toMatchObject({ compared: 0, dropped: 0, failed: 0, lost: 0 });
    const rows = await harness.rows('SELECT operation FROM model_shadow_figures');
    expect(rows).toHaveLength(1);
  });

  it('ends when another version is chosen to serve', async () => {
    const { status } = await operator.call('PUT', '/models/upscale/serving', { json: { version: 3 } });
    expect(status).toBe(200);
    expect(await upscale()).toMatchObject({ chosen: 3, shadow: null });
    const tables = ['figures', 'buckets', 'runs'].map((name) => `model_shadow_${name}`);
    for (const table of tables) expect(await harness.rows(`SELECT 1 FROM ${table}`)).toEqual([]);
  });

  it('shows the overlap of mattes', async () => {
    await operator.call('PUT', '/models/bg_remove/shadow', { json: { version: 3, percent: 1 } });
    const [row] = await harness.rows<{ since: string }>(
      `SELECT shadow_since::text AS since FROM model_choices WHERE operation = 'bg_remove'`,
    );
    const ref = { operation: 'bg_remove', version: 3, serving: 2, since: row!.since };
    await figures.begin(workers[1]!.workerId, ref);
    await figures.compared(workers[1]!.workerId, ref, found(11.625, { isMatte: true, squaredError: 0 }));
    expect(await operator.get('/models/bg_remove/shadow')).toMatchObject({
      measure: 'matte',
      // Its bucket has its middle at 11.8.
      medianPercent: 11.625,
      worstPercent: 11.625,
      psnrDb: null,
    });
  });
});
