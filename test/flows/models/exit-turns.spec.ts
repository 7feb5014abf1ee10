import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FlowModels } from '../../support/models/flow-models.js';
import type { FlowRole } from '../../support/roles/flow-role.js';
import { FlowService } from '../../support/roles/flow-service.js';

describe('workers that exit for new models', () => {
  let models: FlowModels;
  let service: FlowService;

  beforeAll(async () => {
    models = await FlowModels.create('auto_enhance');
    service = await FlowService.start({
      env: { MODELS_DIR: models.dir, MODEL_SWAP: 'exit', MODELS_POLL_MS: '500' },
      roles: [],
    });
  });
  afterAll(async () => {
    await service?.close();
    await models?.close();
  });

  const states = (): Promise<{ pid: number; state: string }[]> =>
    service.database.rows('SELECT pid, state FROM model_workers ORDER BY started_at');

  it('leave one after the other, each when the one before is back', async () => {
    const workers = [await service.startRole('worker'), await service.startRole('worker')];
    await models.drop('auto_enhance', 2);
    const first = await Promise.race(workers.map(async (worker) => ({ worker, ending: await worker.ended })));
    expect(first.ending).toMatchObject({ code: 75 });
    const second: FlowRole = workers.find((worker) => worker !== first.worker)!;
    // Longer than it waits between two requests to leave.
    expect(await Promise.race([second.ended, sleep(7_000)])).toBeUndefined();
    expect((await states()).find(({ pid }) => pid === second.pid)?.state).toBe('serving');
    const successor = await service.startRole('worker');
    expect(await second.ended).toMatchObject({ code: 75 });
    expect((await states()).filter(({ state }) => state === 'serving')).toMatchObject([
      { pid: successor.pid },
    ]);
  });
});
