import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CanaryFiguresDto } from '../../../src/operator/models/canary.dto.js';
import type {
  ConsoleModelsDto,
  ConsoleOperationDto,
} from '../../../src/operator/models/console-models.dto.js';
import type { ModelPresence } from '../../../src/models/serving/model-presence.js';
import { type Harness, startHarness, type TestAccount } from '../../support/app/harness.js';
import { OperatorClient } from '../../support/app/operator-client.js';
import { announceWorker } from '../../support/models/announced-models.js';
import { eventually } from '../../support/roles/flow-wait.js';

let harness: Harness;
let operator: OperatorClient;
const accounts: TestAccount[] = [];
const workers: ModelPresence[] = [];

/** Needs its own database: the workers serve all accounts. */
beforeAll(async () => {
  harness = await startHarness();
  operator = await OperatorClient.start(harness);
  for (let count = 0; count < 12; count += 1) accounts.push(await harness.createAccount());
  workers.push(await announceWorker(harness, 2, [1, 2, 3]));
});
afterAll(async () => {
  for (const worker of workers) await worker.onApplicationShutdown();
  await harness.close();
});

const upscale = async (): Promise<ConsoleOperationDto> =>
  (await operator.get<ConsoleModelsDto>('/models')).data.find(({ operation }) => operation === 'upscale')!;
const set = (json: object) => operator.call('PUT', '/models/upscale/canary', { json });
const end = (how: 'promote' | 'cancel', version: number) =>
  operator.call('POST', `/models/upscale/canary/${how}`, { json: { version } });

/** The version that each account is offered. */
const offered = (): Promise<number[]> =>
  Promise.all(
    accounts.map(async ({ key }) => {
      const { body } = await harness.call('GET', '/api/ai/operations', { key });
      const { data } = body as { data: { operation: string; model: { version: number } }[] };
      return data.find(({ operation }) => operation === 'upscale')!.model.version;
    }),
  );
const until = (text: string, check: (versions: readonly number[]) => boolean): Promise<number[]> =>
  eventually(text, async () => {
    const seen = await offered();
    return check(seen) ? { found: seen } : { seen };
  });
const audited = async () =>
  (
    await harness.rows<{ event: string }>(
      `SELECT concat(action, ' ', details->>'from', ' > ', details->>'to') AS event FROM audit_events
        WHERE action LIKE 'model.%' ORDER BY id`,
    )
  ).map(({ event }) => event);

describe('/operator/api/models/{operation}/canary', () => {
  it('waits until every worker has loaded the canary, and pins the version that serves', async () => {
    await until('version 2', (versions) => versions.every((version) => version === 2));
    const answers = await Promise.all(Array.from({ length: 10 }, () => set({ version: 3, percent: 50 })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await upscale()).toMatchObject({
      offered: 2,
      chosen: 2,
      canary: { version: 3, percent: 50, by: 'account', active: false, missingOn: [workers[0]!.workerId] },
    });
    workers.push(await announceWorker(harness, 2, [1, 2, 3], {}, { canary: 3 }));
    expect((await upscale()).canary).toMatchObject({ active: false, missingOn: [workers[0]!.workerId] });
    expect(new Set(await offered())).toEqual(new Set([2]));
    await workers[0]!.drain();
    await until('both versions', (versions) => versions.includes(2) && versions.includes(3));
    const { canary, versions } = await upscale();
    expect(canary).toMatchObject({ active: true, missingOn: [] });
    expect(versions.map(({ version, state }) => [version, state])).toEqual([
      ['3', 'canary'],
      ['2', 'serving'],
      ['1', 'idle'],
    ]);
    expect(await audited()).toEqual(['model.canary_started 2 > 3 (50% by account)']);
  });

  it('always promises the canary to the same accounts, and shows the figures of both versions', async () => {
    const before = await offered();
    const jobs = await Promise.all(
      accounts.map(async (account) => {
        const { id } = await harness.newJob(account, { operation: 'upscale', level: 'low' });
        const [row] = await harness.rows<{ version: number }>(
          `SELECT (promise->>'version')::int AS version FROM jobs WHERE id = $1`,
          [id],
        );
        return { id, version: row!.version };
      }),
    );
    expect(jobs.map(({ version }) => version)).toEqual(before);
    // Ends the jobs as workers do: one canary job fails, and the others take 2 s for 4 megapixels.
    const failed = jobs.find(({ version }) => version === 3)!.id;
    await harness.rows(
      `UPDATE jobs SET completed_at = now(), status = CASE WHEN id = $1 THEN 'failed' ELSE 'completed' END,
              error_code = CASE WHEN id = $1 THEN 'processing_failed' END, source_pixels = 4000000,
              result_key = CASE WHEN id <> $1 THEN 'results/' || id END,
              model = CASE WHEN id <> $1 THEN jsonb_build_object('version', promise->'version') END,
              timings = CASE WHEN id <> $1 THEN '{"inferenceMs": 2000}'::jsonb END
        WHERE id = ANY ($2::text[])`,
      [failed, jobs.map(({ id }) => id)],
    );
    const ofCanary = before.filter((version) => version === 3).length;
    const figures = await operator.get<CanaryFiguresDto>('/models/upscale/canary');
    expect(figures).toEqual({
      data: [
        { version: 2, jobs: 12 - ofCanary, failed: 0, secondsPerMegapixel: 0.5 },
        { version: 3, jobs: ofCanary, failed: 1, secondsPerMegapixel: ofCanary > 1 ? 0.5 : null },
      ],
      isCapped: false,
    });
    const { since } = (await upscale()).canary!;
    expect((await set({ version: 3, percent: 100 })).status).toBe(200);
    await until('the canary for all', (versions) => versions.every((version) => version === 3));
    expect((await upscale()).canary).toMatchObject({ percent: 100, since });
  });

  it('is neither promoted nor canceled by an operator who refers to another version', async () => {
    for (const how of ['promote', 'cancel'] as const) {
      const { status, body } = await end(how, 1);
      expect({ status, body: body as unknown }).toMatchObject({
        status: 409,
        body: { code: 'canary_changed', detail: 'The canary is now upscale/3. Nothing was changed.' },
      });
    }
  });

  it('is not promoted while every worker refuses it', async () => {
    const message = 'upscale/3 is not served: it needs more memory.';
    await workers[1]!.refuse([{ operation: 'upscale', version: '3', message }]);
    const { status, body } = await end('promote', 3);
    expect({ status, body: body as unknown }).toMatchObject({
      status: 409,
      body: { code: 'version_unavailable', detail: `${message} Nothing was changed.` },
    });
    expect(await upscale()).toMatchObject({ chosen: 2, canary: { version: 3 } });
    await workers[1]!.refuse([]);
  });

  it('serves nobody after it is canceled, and everybody after it is promoted, at once', async () => {
    const canceled = await Promise.all([end('cancel', 3), end('cancel', 3)]);
    expect(canceled.map(({ status }) => status)).toEqual([200, 200]);
    expect(await upscale()).toMatchObject({ chosen: 2, canary: null });
    await until('version 2 for all', (versions) => versions.every((version) => version === 2));
    expect((await operator.call('GET', '/models/upscale/canary')).status).toBe(404);
    await set({ version: 3, percent: 1, by: 'key' });
    const promoted = await Promise.all([end('promote', 3), end('promote', 3)]);
    expect(promoted.map(({ status }) => status)).toEqual([200, 200]);
    await until('version 3 for all', (versions) => versions.every((version) => version === 3));
    for (const version of [2, 3]) await harness.newJob(accounts[0]!, { model: `upscale@${version}` });
    expect(await upscale()).toMatchObject({
      offered: 3,
      chosen: 3,
      choiceState: 'served',
      canary: null,
      rollBackTo: 2,
    });
    expect(await audited()).toEqual([
      'model.canary_started 2 > 3 (50% by account)',
      'model.canary_changed 3 (50% by account) > 3 (100% by account)',
      'model.canary_canceled 3 > 2',
      'model.canary_started 2 > 3 (1% by key)',
      'model.canary_promoted 2 > 3',
    ]);
  });

  it('refuses the serving version, a version that no worker has, and an invalid share', async () => {
    expect((await set({ version: 3, percent: 5 })).body).toMatchObject({
      code: 'version_unavailable',
      detail: 'upscale/3 serves all jobs already. Nothing was changed.',
    });
    expect((await set({ version: 8, percent: 5 })).status).toBe(409);
    for (const json of [{ version: 1 }, { version: 1, percent: 0 }, { version: 1, percent: 101 }])
      expect((await set(json)).status).toBe(400);
    expect((await set({ version: 1, percent: 5, by: 'ip' })).status).toBe(400);
    expect((await upscale()).canary).toBeNull();
  });
});
