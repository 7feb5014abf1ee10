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
    await database.query(`UPDATE model_workers SET started_at = now() - interval '1 hour'`);
    return ids;
  };
  const RETURN_MS = 300_000;
  const mayExit = (id: string): Promise<boolean> => turns.request(id, RETURN_MS);
  /** Moves all times of a worker into the past. */
  const age = (id: string, seconds: number) =>
    database.query(
      `UPDATE model_workers SET seen_at = seen_at - d, left_at = left_at - d, started_at = started_at - d
         FROM make_interval(secs => $2) d WHERE id = $1`,
      [id, seconds],
    );

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

  it('the next one leaves when a successor serves, or the first has not returned in time', async () => {
    const [first, second, third] = (await fleetOf(3)) as [string, string, string];
    expect(await mayExit(first)).toBe(true);
    await age(first, 200);
    expect([await mayExit(second), await mayExit(third)]).toEqual([false, false]);
    await announce('wrk_successor');
    expect(await mayExit(second)).toBe(true);
    expect(await mayExit(third)).toBe(false);
    await age(second, RETURN_MS / 1_000);
    expect(await mayExit(third)).toBe(true);
  });

  it('workers that operators drained hold nobody back, and leave at once themselves', async () => {
    const [only] = (await fleetOf(1)) as [string];
    await announce('wrk_other', ENHANCE);
    await announce('wrk_drained');
    await workers.drain('wrk_drained');
    await database.query(`UPDATE model_workers SET wanted = 'drain' WHERE id = 'wrk_drained'`);
    expect(await mayExit('wrk_drained')).toBe(true);
    expect(await mayExit(only)).toBe(true);
  });

  it('a worker that serves again has not left', async () => {
    const [first, second] = (await fleetOf(2)) as [string, string];
    await workers.drain(first);
    expect(await mayExit(second)).toBe(false);
    await workers.resume(first);
    expect(await mayExit(second)).toBe(true);
  });

  it('a worker that left is not announced again by its heartbeat', async () => {
    const presence = new ModelPresence(workers);
    await presence.begin(await loadCatalog(join(import.meta.dirname, '../../../models')), 'cpu');
    try {
      expect(await presence.requestExit(turns, RETURN_MS)).toBe(true);
      await presence.beat();
      expect((await workers.all())[0]).toMatchObject({ id: presence.workerId, state: 'draining' });
    } finally {
      await presence.onApplicationShutdown();
    }
  });
});
