import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Database } from '../../../src/infra/database/database.js';
import { Notifications } from '../../../src/infra/database/notifications.js';
import type { ComparisonResults } from '../../../src/models/serving/comparisons/version-comparison.js';
import {
  COMPARISON_WANTED,
  VersionComparisonsRepository,
} from '../../../src/models/serving/comparisons/version-comparisons.repository.js';
import type { ModelPresence } from '../../../src/models/serving/model-presence.js';
import type {
  VersionComparisonDto,
  VersionComparisonsDto,
} from '../../../src/operator/comparisons/version-comparison.dto.js';
import type { ComparisonRun, FoundComparison } from '../../../src/worker/comparison/comparison-run.js';
import { VersionComparisons } from '../../../src/worker/comparison/version-comparisons.js';
import { type Harness, startHarness } from '../../support/app/harness.js';
import { OperatorClient } from '../../support/app/operator-client.js';
import { announceWorker } from '../../support/models/announced-models.js';
import { eventually } from '../../support/roles/flow-wait.js';

const PATH = '/models/upscale/comparisons';
const VERSIONS = { a: 2, b: 3, level: 'low' };
const SIDE = { width: 8, height: 8, inferenceMs: 12.5, refusal: null };
const RESULTS: ComparisonResults = {
  source: { width: 4, height: 4 },
  a: SIDE,
  b: { width: null, height: null, inferenceMs: null, refusal: 'no_subject_found' },
  difference: null,
};
const IMAGES = { source: Buffer.from('source'), a: Buffer.from('of a'), b: null };

type Rows = Record<string, unknown>[];

let harness: Harness;
let operator: OperatorClient;
let comparisons: VersionComparisonsRepository;
let sourceUrl: string;
const workers: ModelPresence[] = [];

/** Needs its own database: the workers serve all accounts. */
beforeAll(async () => {
  harness = await startHarness();
  operator = await OperatorClient.start(harness);
  comparisons = new VersionComparisonsRepository(harness.app.get(Database));
  workers.push(await announceWorker(harness, 2, [1, 2, 3]));
  sourceUrl = (await harness.newSource(operator.account)).url;
});
afterAll(async () => {
  for (const worker of workers) await worker.onApplicationShutdown();
  await harness.close();
});

const create = (json: object = {}, client = operator) =>
  client.call('POST', PATH, { json: { ...VERSIONS, sourceUrl, ...json } });
const started = async (json: object = {}, client = operator): Promise<VersionComparisonDto> => {
  const { status, body } = await create(json, client);
  expect(status, JSON.stringify(body)).toBe(201);
  return body as VersionComparisonDto;
};
const read = (id: string) => operator.get<VersionComparisonDto>(`${PATH}/${id}`);
const list = async (client = operator) => (await client.get<VersionComparisonsDto>(PATH)).data;
const clear = () => harness.rows('DELETE FROM version_comparisons');
const audited = () =>
  harness.rows(
    `SELECT target_id AS target, details->>'from' AS a, details->>'to' AS b FROM audit_events
      WHERE action = 'model.versions_compared' ORDER BY id`,
  );

describe('/operator/api/models/{operation}/comparisons', () => {
  it('is created, claimed by a worker that has both versions, and completed', async () => {
    const created = await started();
    expect(created).toEqual({
      ...VERSIONS,
      id: expect.stringMatching(/^cmp_[0-9a-f]{32}$/) as string,
      operation: 'upscale',
      status: 'queued',
      results: null,
      failure: null,
      createdAt: expect.any(String) as string,
      endedAt: null,
      expiresAt: new Date(Date.parse(created.createdAt) + 86_400_000).toISOString(),
    });
    expect(await audited()).toEqual([{ target: 'upscale', a: '2', b: '3' }]);
    const [{ workerId }] = workers as [ModelPresence];
    const other = await announceWorker(harness, 2, [2]);
    workers.push(other);
    expect(await comparisons.claim(other.workerId)).toBeUndefined();
    const claimed = await comparisons.claim(workerId);
    expect(claimed).toMatchObject({ ...VERSIONS, id: created.id, operation: 'upscale' });
    expect(claimed!.photo.length).toBeGreaterThan(0);
    expect(await comparisons.claim(workerId)).toBeUndefined();
    expect((await read(created.id)).status).toBe('processing');
    // A worker that does not hold the comparison changes nothing.
    await comparisons.fail(created.id, other.workerId, 'Not mine.');
    await comparisons.complete(created.id, workerId, RESULTS, IMAGES);
    await comparisons.fail(created.id, workerId, 'Too late.');
    const completed = await read(created.id);
    expect(completed).toMatchObject({ status: 'completed', results: RESULTS, failure: null });
    expect(completed.endedAt).not.toBeNull();
    expect(await list()).toEqual([completed]);
    expect(await operator.get<VersionComparisonsDto>('/models/bg_remove/comparisons')).toEqual({ data: [] });
    const image = (name: string) => operator.call('GET', `${PATH}/${created.id}/images/${name}`);
    const answer = await image('a');
    expect(answer).toMatchObject({ status: 200, body: Buffer.from('of a') });
    expect(answer.headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'private, no-store',
    });
    for (const missing of ['b', 'c', 'photo']) expect((await image(missing)).status, missing).toBe(404);
  });

  it('is visible to nobody else, including other operators', async () => {
    const { id } = await started();
    const other = await OperatorClient.start(harness);
    expect(await list(other)).toEqual([]);
    for (const path of [`${PATH}/${id}`, `${PATH}/${id}/images/source`])
      expect((await other.call('GET', path)).status).toBe(404);
    const foreign = await create({}, other);
    expect(foreign).toMatchObject({ status: 404, body: { code: 'not_found' } });
    await clear();
  });

  it.each([
    ['the same version twice', { b: 2 }, 400, 'invalid_request'],
    ['a version that no worker has', { b: 9 }, 409, 'version_unavailable'],
    ['a URL of another site', { sourceUrl: 'https://example.org/a.png' }, 400, 'invalid_source_url'],
    ['another level', { level: 'best' }, 400, 'invalid_request'],
    ['a string as the version', { a: 'newest' }, 400, 'invalid_request'],
    ['an unknown field', { c: 1 }, 400, 'invalid_request'],
  ])('refuses %s, and stores nothing', async (_, json, status, code) => {
    const before = (await audited()).length;
    expect(await create(json)).toMatchObject({ status, body: { code } });
    expect(await harness.rows('SELECT FROM version_comparisons')).toEqual([]);
    expect(await audited()).toHaveLength(before);
  });

  it('refuses an unknown operation, unknown IDs, and a deleted photo', async () => {
    const json = { ...VERSIONS, sourceUrl };
    expect((await operator.call('POST', '/models/invert/comparisons', { json })).status).toBe(404);
    expect((await operator.call('GET', '/models/invert/comparisons')).status).toBe(404);
    for (const id of ['cmp_1', `cmp_${'0'.repeat(32)}`, '%00'])
      expect((await operator.call('GET', `${PATH}/${id}`)).status).toBe(404);
    const gone = await harness.newSource(operator.account);
    await harness.call('DELETE', `/api/ai/sources/${gone.id}`, { key: operator.account.key });
    expect(await create({ sourceUrl: gone.url })).toMatchObject({ status: 410 });
  });

  it('allows five that wait or run, even for ten concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => create()));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(5);
    for (const { body } of answers.filter(({ status }) => status !== 201))
      expect(body).toMatchObject({ code: 'comparison_limit_reached' });
    expect(await list()).toHaveLength(5);
    await clear();
  });

  it('is claimed again when its worker releases it or stops, and fails once two have stopped', async () => {
    const { id } = await started();
    const [{ workerId }] = workers as [ModelPresence];
    const second = await announceWorker(harness, 2, [1, 2, 3]);
    workers.push(second);
    expect((await comparisons.claim(workerId))?.id).toBe(id);
    await comparisons.giveBack(id, workerId);
    expect((await read(id)).status).toBe('queued');
    expect((await comparisons.claim(workerId))?.id).toBe(id);
    expect(await comparisons.claim(second.workerId)).toBeUndefined();
    const end = (worker: string) =>
      harness.rows(`UPDATE model_workers SET seen_at = now() - interval '1 minute' WHERE id = $1`, [worker]);
    await end(workerId);
    expect((await comparisons.claim(second.workerId))?.id).toBe(id);
    await end(second.workerId);
    const third = await announceWorker(harness, 2, [1, 2, 3]);
    workers.push(third);
    expect(await comparisons.claim(third.workerId)).toBeUndefined();
    expect(await read(id)).toMatchObject({
      status: 'failed',
      failure: 'Two workers ended while they compared these versions.',
    });
    expect(await harness.rows('SELECT FROM version_comparisons WHERE photo IS NOT NULL')).toEqual([]);
  });
});

describe('a comparison whose worker never received the response to its claim', () => {
  const loops: VersionComparisons[] = [];
  /** IDs of the comparisons that run, in the order of their runs. */
  let runs: string[] = [];
  let finish: () => void;
  /** What runs in place of a statement, by the name of the statement. */
  const instead = new Map<string, (execute: () => Promise<Rows>) => Promise<Rows>>();

  beforeEach(() => {
    const database = harness.app.get(Database);
    const query = database.query.bind(database);
    vi.spyOn(database, 'query').mockImplementation(async (statement, values) => {
      const execute = (): Promise<Rows> => query(statement, values);
      return instead.get(typeof statement === 'string' ? '' : statement.name)?.(execute) ?? execute();
    });
  });
  afterEach(async () => {
    await Promise.all(loops.splice(0).map((loop) => loop.stop()));
    vi.restoreAllMocks();
    instead.clear();
    runs = [];
    await clear();
  });

  /** Starts the loop of a worker. Its versions run until `finish`. */
  async function beginWorker(): Promise<void> {
    const presence = await announceWorker(harness, 2, [1, 2, 3]);
    workers.push(presence);
    const run: ComparisonRun['run'] = ({ id }, signal) => {
      runs.push(id);
      return new Promise<FoundComparison>((resolve, reject) => {
        finish = () => resolve({ results: RESULTS, images: IMAGES });
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      });
    };
    const notifications = harness.app.get(Notifications);
    const loop = new VersionComparisons(comparisons, { run } as ComparisonRun, presence, notifications);
    loops.push(loop);
    loop.begin();
  }
  /** Drops the responses to claims. @returns the IDs of the comparisons, as they get lost */
  function loseClaims(most: number): string[] {
    const lost: string[] = [];
    instead.set('comparison_claim', async (execute) => {
      const rows = await execute();
      if (rows.length === 0 || lost.length === most) return rows;
      lost.push(String(rows[0]!['id']));
      throw new Error('Connection terminated unexpectedly');
    });
    return lost;
  }
  const lookAgain = () => harness.rows(`SELECT pg_notify('${COMPARISON_WANTED}', '')`);
  const until = (what: string, isSo: () => boolean | Promise<boolean>) =>
    eventually(what, async () => {
      await lookAgain();
      return (await isSo()) ? { found: true } : { seen: runs };
    });
  const attempts = async () => (await harness.rows('SELECT attempts FROM version_comparisons'))[0];

  it('is claimed again, and runs once among ten workers', async () => {
    const lost = loseClaims(1);
    const { id } = await started();
    await Promise.all(Array.from({ length: 10 }, beginWorker));
    await until('a run', () => runs.length > 0);
    expect(lost).toEqual([id]);
    let looks = 0;
    instead.set('comparison_claim', async (execute) => execute().finally(() => (looks += 1)));
    await until('others to look while it runs', () => looks >= 20);
    finish();
    await until('its end', async () => (await read(id)).status === 'completed');
    expect(runs).toEqual([id]);
    expect(await attempts()).toEqual({ attempts: 2 });
  });

  it('fails when its claim is lost twice', async () => {
    const lost = loseClaims(2);
    const { id } = await started();
    await beginWorker();
    await until('its end', async () => (await read(id)).endedAt !== null);
    expect(await read(id)).toMatchObject({
      status: 'failed',
      failure: 'Two attempts to compare these versions ended without a result.',
    });
    expect([lost, runs]).toEqual([[id, id], []]);
    expect(await harness.rows('SELECT FROM version_comparisons WHERE photo IS NOT NULL')).toEqual([]);
  });

  it('stays with its worker when the statement that disowned it arrives again, late', async () => {
    loseClaims(1);
    let late: (() => Promise<Rows>) | undefined;
    instead.set('comparison_disown', async (execute) => {
      if (late !== undefined) return execute();
      late = execute;
      throw new Error('Connection terminated unexpectedly');
    });
    const { id } = await started();
    await beginWorker();
    await until('a run', () => runs.length > 0);
    await late!();
    const other = await announceWorker(harness, 2, [1, 2, 3]);
    workers.push(other);
    expect(await comparisons.claim(other.workerId)).toBeUndefined();
    expect((await read(id)).status).toBe('processing');
    finish();
    await until('its end', async () => (await read(id)).status === 'completed');
    expect(runs).toEqual([id]);
  });
});
