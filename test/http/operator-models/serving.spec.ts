import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
let account: TestAccount;
const workers: ModelPresence[] = [];
const heard: (readonly string[])[] = [];

/** Needs its own database: the workers serve all accounts. */
beforeAll(async () => {
  harness = await startHarness();
  operator = await OperatorClient.start(harness);
  account = await harness.createAccount();
  workers.push(
    await announceWorker(harness, 3, [1, 2, 3], { onRequests: ({ chosen }) => heard.push(chosen) }),
    await announceWorker(harness, 3, [2, 3]),
  );
  await workers[1]!.refuse([{ operation: 'upscale', version: '2', message: 'upscale/2 is damaged.' }]);
});
afterAll(async () => {
  for (const worker of workers) await worker.onApplicationShutdown();
  await harness.close();
});

const upscale = async (): Promise<ConsoleOperationDto> =>
  (await operator.get<ConsoleModelsDto>('/models')).data.find(({ operation }) => operation === 'upscale')!;
const choose = (version: number | null) =>
  operator.call('PUT', '/models/upscale/serving', { json: { version } });

/** Waits until customers are offered this version. */
const offered = (version: number): Promise<unknown> =>
  eventually(`upscale/${version} to be offered`, async () => {
    const { body } = await harness.call('GET', '/api/ai/operations', { key: account.key });
    const { data } = body as { data: { operation: string; model: { version: number } }[] };
    const seen = data.find(({ operation }) => operation === 'upscale')?.model.version;
    return seen === version ? { found: true } : { seen };
  });

const audited = () =>
  harness.rows(
    `SELECT action, target_id AS "targetId", details FROM audit_events WHERE action LIKE 'model.%' ORDER BY id`,
  );

describe('PUT /operator/api/models/{operation}/serving', () => {
  it('offers the highest version until an operator chooses one, and names the one to roll back to', async () => {
    await offered(3);
    const { versions, ...rest } = await upscale();
    expect(rest).toEqual({
      operation: 'upscale',
      offered: 3,
      chosen: null,
      choiceState: null,
      rollBackTo: 2,
      canary: null,
      shadow: null,
    });
    // One worker refuses version 2, but another would accept it.
    expect(versions.map(({ version, canServe }) => [version, canServe])).toEqual([
      ['3', true],
      ['2', true],
      ['1', true],
    ]);
  });

  it('records a choice once, however often it is made, and tells workers with each heartbeat', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => choose(1)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(answers[0]!.body).toMatchObject({ offered: 3, chosen: 1, choiceState: 'pending' });
    expect(await audited()).toEqual([
      { action: 'model.version_chosen', targetId: 'upscale', details: { from: 'highest', to: '1' } },
    ]);
    await workers[0]!.beat();
    expect(heard.at(-1)).toEqual(['upscale/1']);
  });

  it('promises the chosen version once one worker serves it, even if another serves a higher one', async () => {
    const successor = await announceWorker(harness, 1, [1, 2, 3]);
    workers.push(successor);
    await offered(1);
    const job = await harness.newJob(account, { operation: 'upscale', level: 'low' });
    expect(await harness.rows('SELECT promise FROM jobs WHERE id = $1', [job.id])).toMatchObject([
      { promise: { version: 1 } },
    ]);
    expect(await upscale()).toMatchObject({ offered: 1, chosen: 1, choiceState: 'served', rollBackTo: null });
    const pinned = await harness.createJob(account.key, {
      sourceUrl: (await harness.newSource(account)).url,
      operation: 'upscale',
      model: 'upscale@3',
    });
    expect(pinned.status, pinned.text).toBe(201);
    // Once the last worker with this version leaves, the highest version serves.
    await successor.drain();
    await offered(3);
    expect(await upscale()).toMatchObject({ offered: 3, chosen: 1, choiceState: 'pending' });
  });

  it('rolls back to the version that served before, not to one in between', async () => {
    await choose(3);
    expect(await upscale()).toMatchObject({ chosen: 3, rollBackTo: 1 });
    expect((await choose(null)).body).toMatchObject({ chosen: null, choiceState: null });
    expect(await audited()).toHaveLength(3);
  });

  it('refuses a version that no live worker can serve, and explains why', async () => {
    const before = await audited();
    const unknown = await choose(9);
    expect(unknown.status).toBe(409);
    expect(unknown.body).toMatchObject({
      code: 'version_unavailable',
      detail: 'No running worker has upscale/9 in its model repository. Nothing was changed.',
    });
    await workers[0]!.refuse([{ operation: 'upscale', version: '2', message: 'upscale/2 is damaged.' }]);
    expect((await choose(2)).body).toMatchObject({
      code: 'version_unavailable',
      detail: 'upscale/2 is damaged. Nothing was changed.',
    });
    expect(await upscale()).toMatchObject({ chosen: null, rollBackTo: 1 });
    const none = await operator.call('PUT', '/models/nothing/serving', { json: { version: 1 } });
    expect(none.status).toBe(404);
    expect(await audited()).toEqual(before);
    expect(await harness.rows(`SELECT operation FROM model_choices WHERE operation <> 'upscale'`)).toEqual(
      [],
    );
  });

  it('refuses a version that failed the trial of a worker that has been replaced, until a scan', async () => {
    workers.push(await announceWorker(harness, 3, [1, 3, 4]));
    const tried = (key: string, reason: string | null) =>
      harness.rows(
        `INSERT INTO model_verdicts (key, operation, version, reason) VALUES ($1, 'upscale', 4, $2) RETURNING key`,
        [key, reason],
      );
    await tried('cpu', 'its result is not finite');
    const { status, body } = await choose(4);
    const earlier = 'An earlier worker tried it. To have it tried again, scan for new models first.';
    const reason = `upscale/4 is not served: its result is not finite. ${earlier}`;
    expect({ status, body: body as unknown }).toMatchObject({
      status: 409,
      body: { code: 'version_unavailable', detail: `${reason} Nothing was changed.` },
    });
    for (const how of ['canary', 'shadow']) {
      const json = how === 'canary' ? { version: 4, percent: 5, by: 'account' } : { version: 4, percent: 5 };
      expect((await operator.call('PUT', `/models/upscale/${how}`, { json })).status).toBe(409);
    }
    const { versions } = await upscale();
    expect(versions[0]).toMatchObject({ version: '4', state: 'refused', canServe: false, reasons: [reason] });
    // It runs on another device.
    await tried('cuda', null);
    expect((await choose(4)).status).toBe(200);
    await choose(null);
    await harness.rows(`DELETE FROM model_verdicts WHERE key = 'cuda' RETURNING key`);
    expect((await choose(4)).status).toBe(409);
    // A scan forgets refusals.
    await harness.rows('DELETE FROM model_verdicts WHERE reason IS NOT NULL RETURNING key');
    expect((await choose(4)).status).toBe(200);
    await choose(null);
  });

  it.each([{}, { version: 0 }, { version: 1.5 }, { version: '2' }, { version: 1e9 }])(
    'refuses %j',
    async (json) => {
      const { status, body } = await operator.call('PUT', '/models/upscale/serving', { json });
      expect({ status, body: body as unknown }).toMatchObject({
        status: 400,
        body: { errors: [{ field: 'version' }] },
      });
    },
  );

  it('reports when no worker has the chosen version anymore', async () => {
    await choose(1);
    const [{ id }] = (await harness.rows(
      `UPDATE model_workers SET available = '[]' WHERE state = 'serving' RETURNING id`,
    )) as [{ id: string }];
    expect(id).toMatch(/^wrk_/);
    expect(await upscale()).toMatchObject({ offered: 3, chosen: 1, choiceState: 'missing' });
  });
});
