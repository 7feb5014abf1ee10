import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JobDto } from '../../../src/common/resources/job.dto.js';
import type { CanaryFiguresDto } from '../../../src/operator/models/canary.dto.js';
import type { ConsoleOperationDto } from '../../../src/operator/models/console-models.dto.js';
import { solidFile } from '../../support/images/flow-drawn.js';
import { FlowModelService } from '../../support/models/flow-model-service.js';
import { adminAnswer } from '../../support/roles/admin-command.js';
import { eventually } from '../../support/roles/flow-wait.js';

const TONE = 'auto_enhance';

/** One service for all tests; each test continues with the models that the previous one left. */
describe('a canary', () => {
  let service: FlowModelService;
  let sourceUrl: string;

  beforeAll(async () => {
    service = await FlowModelService.start();
    sourceUrl = (await service.client.upload(await solidFile(300, 300, [90, 120, 60]))).url;
    await admin('serve', TONE, '1');
    await service.models.drop(TONE, 2);
  });
  afterAll(() => service?.close());

  const admin = async (...words: readonly string[]): Promise<unknown> =>
    adminAnswer(service.databaseUrl, 'model', ...words);
  const state = (what: string, check: (seen: ConsoleOperationDto) => boolean): Promise<ConsoleOperationDto> =>
    eventually(what, async () => {
      const all = (await admin('list')) as ConsoleOperationDto[];
      const seen = all.find(({ operation }) => operation === TONE)!;
      return check(seen) ? { found: seen } : { seen: [seen, service.supervisor.errors.slice(-1_500)] };
    });
  const versionsOf = async (count: number): Promise<Set<number>> => {
    const jobs = await Promise.all(
      Array.from({ length: count }, () =>
        service.client.create(sourceUrl, { operation: TONE, cache: false }),
      ),
    );
    const done: JobDto[] = [];
    for (const { id } of jobs) done.push(await service.client.completed(id));
    for (const { attempts } of done) expect(attempts).toBe(1);
    return new Set(done.map(({ model }) => model!.version));
  };

  it('is loaded next to the serving version, and runs the jobs of its accounts', async () => {
    await state('version 2 to be found', ({ versions }) =>
      versions.some(({ version, canServe }) => version === '2' && canServe),
    );
    expect(await versionsOf(2)).toEqual(new Set([1]));
    await admin('canary', TONE, '2', '--percent', '100');
    const { canary } = await state('the canary to be loaded', (seen) => seen.canary?.active === true);
    expect(canary).toMatchObject({ version: 2, percent: 100 });
    await eventually('the canary to be promised', async () => {
      const seen = await versionsOf(1);
      return seen.has(2) ? { found: true } : { seen };
    });
    expect(await versionsOf(6)).toEqual(new Set([2]));
    const figures = (await admin('canary-figures', TONE)) as CanaryFiguresDto;
    expect(figures.isCapped).toBe(false);
    expect(figures.data.map(({ version }) => version)).toEqual([1, 2]);
    expect(figures.data[1]!.jobs).toBeGreaterThanOrEqual(6);
  });

  it('keeps running after kill -9 of the worker', async () => {
    process.kill(service.supervisor.role('worker')!.pid, 'SIGKILL');
    expect(await versionsOf(2)).toEqual(new Set([2]));
  });

  it('falls back to the serving version when its folder is removed, and returns with it', async () => {
    await service.models.remove(TONE, 2);
    await state('no worker to have it', (seen) => seen.canary?.active === false);
    await eventually('version 1 to be promised', async () => {
      const seen = await versionsOf(1);
      return seen.has(1) ? { found: true } : { seen };
    });
    expect(await versionsOf(3)).toEqual(new Set([1]));
    await service.models.drop(TONE, 2);
    await state('the canary to be back', (seen) => seen.canary?.active === true);
  });

  it('serves all jobs once it is promoted, without losing any', async () => {
    const jobs = versionsOf(20);
    await admin('promote-canary', TONE);
    expect(await jobs).toContain(2);
    await state('it to serve', (seen) => seen.offered === 2 && seen.canary === null);
    await eventually('version 2 to be promised', async () => {
      const seen = await versionsOf(1);
      return seen.has(2) ? { found: true } : { seen };
    });
  });
});
