import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../../../src/infra/database/database.js';
import { loadCatalog } from '../../../src/models/repository/load-catalog.js';
import { ExitTurnsRepository } from '../../../src/models/serving/exit-turns.repository.js';
import { ModelPresence } from '../../../src/models/serving/model-presence.js';
import { ModelWorkersRepository } from '../../../src/models/serving/model-workers.repository.js';
import { type Harness, startHarness } from '../../support/app/harness.js';

const UPSCALE = ['upscale/low/2/false'];
const ENHANCE = ['auto_enhance/low/1/false'];

describe('the turns of workers that exit for new models', () => {
  let harness: Harness;
  let database: Database;
  let workers: ModelWorkersRepository;
  let turns: ExitTurnsRepository;
  beforeAll(async () => {
    harness = await startHarness();
    database = harness.app.get(Database);
    workers = new ModelWorkersRepository(database);
    turns = new ExitTurnsRepository(database);
  });
  afterAll(() => harness?.close());
  beforeEach(() => database.query('DELETE FROM model_workers'));

  const announce = (id: string, kinds: readonly string[] = UPSCALE): Promise<void> =>
    workers.announce({
      id,
      host: 'h',
      pid: 1,
      device: 'cpu',
      operations: [],
      versions: [],
      refusals: [],
      kinds,
    });
  const fleetOf = async (size: number): Promise<string[]> => {
    const ids = Array.from({ length: size }, (_, index) => `wrk_${index}`);
    for (const id of ids) await announce(id);
    return ids;
  };
  const mayExit = async (id: string, fleet?: number): Promise<boolean> =>
    (await turns.request(id, UPSCALE, fleet)).mayExit;

  it.each([
    [1, 1],
    [2, 1],
    [3, 1],
    [4, 1],
    [5, 2],
    [8, 2],
    [50, 13],
  ])('of %i workers, %i leave when all ask at once', async (size, leaving) => {
    const ids = await fleetOf(size);
    const results = await Promise.all(ids.map((id) => mayExit(id)));
    expect(results.filter(Boolean)).toHaveLength(leaving);
    const states = (await workers.all()).map(({ state }) => state);
    expect(states.filter((state) => state === 'draining')).toHaveLength(leaving);
  });

  it('the next one leaves when a successor serves, also long after the first has stopped', async () => {
    const [first, second] = (await fleetOf(2)) as [string, string];
    expect(await mayExit(first)).toBe(true);
    const { mayExit: isSecond, fleet } = await turns.request(second, UPSCALE);
    expect([isSecond, fleet]).toEqual([false, 2]);
    await database.query(`UPDATE model_workers SET seen_at = now() - interval '5 minutes' WHERE id = $1`, [
      first,
    ]);
    expect(await mayExit(second, fleet)).toBe(false);
    await announce('wrk_successor');
    expect(await mayExit(second, fleet)).toBe(true);
  });

  it('workers for other jobs do not count, and workers that operators drained hold nobody back', async () => {
    const [only] = (await fleetOf(1)) as [string];
    await announce('wrk_other', ENHANCE);
    await announce('wrk_drained');
    await workers.drain('wrk_drained');
    await database.query(`UPDATE model_workers SET wanted = 'drain' WHERE id = 'wrk_drained'`);
    expect(await turns.request(only, UPSCALE)).toEqual({ mayExit: true, fleet: 1 });
    // It serves nothing already.
    expect(await mayExit('wrk_drained', 9)).toBe(true);
  });

  it('a worker that left is not announced again by its heartbeat', async () => {
    const presence = new ModelPresence(workers);
    await presence.begin(await loadCatalog(join(import.meta.dirname, '../../../models')), 'cpu');
    try {
      expect((await presence.requestExit(turns)).mayExit).toBe(true);
      await presence.beat();
      expect((await workers.all())[0]).toMatchObject({ id: presence.workerId, state: 'draining' });
    } finally {
      presence.onApplicationShutdown();
    }
  });
});
