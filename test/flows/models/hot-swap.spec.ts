import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JobDto } from '../../../src/common/resources/job.dto.js';
import type { ModelHealthDto } from '../../../src/models/serving/model-health.dto.js';
import { solidFile } from '../../support/images/flow-drawn.js';
import { FlowModelService } from '../../support/models/flow-model-service.js';
import { madeSmall } from '../../support/models/flow-models.js';
import { isAlive, signaled } from '../../support/roles/flow-processes.js';
import { eventually, LASTING } from '../../support/roles/flow-wait.js';

const TONE = { operation: 'auto_enhance' } as const;

/** One service for all tests; each test continues with the models that the previous one left. */
describe('a model swap while jobs run', () => {
  let service: FlowModelService;
  let sourceUrl: string;

  beforeAll(async () => {
    service = await FlowModelService.start();
    sourceUrl = (await service.client.upload(await solidFile(300, 300, [90, 120, 60]))).url;
  });
  afterAll(async () => {
    await service?.close();
  });

  /** Waits until the service promises new jobs this version and only one worker is left. */
  async function served(operation: string, version: number): Promise<ModelHealthDto> {
    return eventually(
      `${operation}/${version} to be served`,
      async () => {
        const seen = await service.health();
        const offered = seen.operations.find((one) => one.operation === operation)?.model.version;
        const serving = seen.workers.filter(({ state }) => state === 'serving');
        const isServed = offered === version && serving.length >= 1;
        // Checked last, because it lists every process of the service.
        return isServed && service.workers().length === 1
          ? { found: seen }
          : { seen: [seen, service.supervisor.errors.slice(-1_500)] };
      },
      LASTING,
    );
  }

  const create = (
    count: number,
    url = sourceUrl,
    order: { operation: string; level?: 'low' } = TONE,
  ): Promise<JobDto[]> => Promise.all(Array.from({ length: count }, () => service.client.create(url, order)));

  async function allCompleted(jobs: readonly JobDto[]): Promise<JobDto[]> {
    const done: JobDto[] = [];
    for (const { id } of jobs) done.push(await service.client.completed(id));
    return done;
  }

  const versionsOf = (jobs: readonly JobDto[]) => new Set(jobs.map(({ model }) => model!.version));

  it('loses none of 42 jobs while a good, a broken and a slowly copied version appear', async () => {
    const jobs = await create(24);
    await service.models.drop('auto_enhance', 2);
    await served('auto_enhance', 2);
    jobs.push(...(await create(6)));
    await service.models.dropBroken('auto_enhance', 3);
    await eventually(
      'version 3 to be refused',
      async () => {
        const { refusals } = await service.health();
        return refusals.some(({ version }) => version === '3') ? { found: true } : { seen: refusals };
      },
      LASTING,
    );
    jobs.push(...(await create(6)));
    await service.models.dropSlowly('auto_enhance', 4, 900);
    await served('auto_enhance', 4);
    jobs.push(...(await create(6)));
    const done = await allCompleted(jobs);
    const names = new Map(
      [1, 2, 4].map((version) => [version, version === 1 ? 'measured-tone' : `measured-tone-${version}`]),
    );
    for (const { model, attempts } of done) {
      expect(model!.name).toBe(names.get(model!.version));
      expect(attempts).toBe(1);
    }
    expect(versionsOf(done)).toEqual(new Set([1, 2, 4]));
    expect(versionsOf(done.slice(-6))).toEqual(new Set([4]));
    const hashes = new Set(done.map(({ model }) => `${model!.version} ${model!.sha256}`));
    expect(hashes.size).toBe(3);
    // The highest valid version serves, so the broken one below it no longer matters.
    expect((await service.health()).refusals).toEqual([]);
    expect(service.supervisor.errors).toMatch(/auto_enhance\/3 is not served: .*analyse/);
  });

  it('ends with the later of two versions that arrive in quick succession', async () => {
    const jobs = await create(8);
    await service.models.drop('auto_enhance', 6);
    await sleep(1_500);
    await service.models.drop('auto_enhance', 7);
    await served('auto_enhance', 7);
    expect(await allCompleted(jobs)).toHaveLength(8);
  });

  it('gives every job its promised size when a version scales differently', async () => {
    const order = { operation: 'upscale', level: 'low' } as const;
    const { url } = await service.client.upload(await solidFile(20, 20, [20, 90, 160]));
    const jobs = await create(6, url, order);
    await service.models.drop('upscale', 2, (draft) => {
      madeSmall(draft);
      draft.levels['low'] = { strength: 1, render: 'x4' };
    });
    await eventually('×4 to be promised', async () => {
      jobs.push(...(await create(1, url, order)));
      await sleep(500);
      const offered = (await service.health()).operations.find(({ operation }) => operation === 'upscale');
      return offered?.model.version === 2 ? { found: true } : { seen: offered };
    });
    jobs.push(...(await create(4, url, order)));
    const done = await allCompleted(jobs);
    const rows = new Map(done.map((job) => [job.id, job]));
    for (const { id, result, model } of rows.values()) {
      expect(result!.width, id).toBe(20 * (model!.version === 1 ? 2 : 4));
    }
    expect(versionsOf(done.slice(0, 6)), 'ordered from version 1').toEqual(new Set([1]));
    expect(versionsOf(done.slice(-4)), 'ordered from version 2').toEqual(new Set([2]));
    await served('upscale', 2);
  });

  it.each(['old', 'new'] as const)('survives kill -9 of the %s worker during the swap', async (which) => {
    const version = which === 'old' ? 8 : 9;
    const before = service.supervisor.role('worker')!;
    await service.models.drop('auto_enhance', version);
    const successor = () => service.workers().find(({ pid }) => pid !== before.pid);
    await eventually('the successor to start', () =>
      successor() === undefined ? { seen: service.workers() } : { found: true },
    );
    // Created at this moment, so that they wait or run however fast the machine is.
    const jobs = await create(12);
    // On a busy machine, another successor may have replaced the first one by now.
    await eventually(`the ${which} worker to be killed`, () => {
      const pid = which === 'old' ? before.pid : successor()?.pid;
      return pid !== undefined && signaled(pid, 'SIGKILL') ? { found: true } : { seen: service.workers() };
    });
    await served('auto_enhance', version);
    expect(await allCompleted(jobs)).toHaveLength(12);
  });

  it('leaves no process after Ctrl-C during the swap', async () => {
    const jobs = await create(4);
    await service.models.drop('auto_enhance', 10);
    const below = await eventually('the successor to start', () => {
      const found = service.supervisor.processes();
      const count = found.filter(({ command }) => command.includes('main.worker.js')).length;
      return count === 2 ? { found } : { seen: count };
    });
    expect(await service.supervisor.end('SIGINT')).toEqual({ code: 0, signal: null });
    await eventually('every process to be gone', () => {
      const left = below.filter(isAlive);
      return left.length === 0 ? { found: true } : { seen: left };
    });
    await service.startSupervisor();
    // This takes a moment: the api offers what the old worker served until it hears from the new one.
    const { operations } = await served('auto_enhance', 10);
    expect(operations).toMatchObject([{ operation: 'auto_enhance' }, { operation: 'upscale' }]);
    await allCompleted(jobs);
  });
});
