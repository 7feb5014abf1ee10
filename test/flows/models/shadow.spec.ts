import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JobDto } from '../../../src/common/resources/job.dto.js';
import type { ConsoleOperationDto } from '../../../src/operator/models/console-models.dto.js';
import type { ShadowFiguresDto } from '../../../src/operator/models/shadow.dto.js';
import { BUSY_ORDER, busyFile } from '../../support/images/flow-drawn.js';
import { madeSmall, onlyLow } from '../../support/models/flow-models.js';
import { FlowModelService } from '../../support/models/flow-model-service.js';
import { adminAnswer } from '../../support/roles/admin-command.js';
import { heldFiles } from '../../support/roles/flow-objects.js';
import { eventually, LASTING } from '../../support/roles/flow-wait.js';

const TONE = 'auto_enhance';
const JOBS = 6;
/** A shadow run renders a photo twice, so half the pixels of the usual busy file keep the worker as busy. */
const BUSY_EDGE = 450;

/** One service for all tests; each test continues with the models that the previous one left. */
describe('a shadow run', () => {
  let service: FlowModelService;
  let sourceUrl: string;
  let busyUrl: string;

  beforeAll(async () => {
    service = await FlowModelService.start();
    sourceUrl = (await service.client.upload(await busyFile(200))).url;
    busyUrl = (await service.client.upload(await busyFile(BUSY_EDGE))).url;
    await admin('serve', TONE, '1');
    await admin('serve', 'upscale', '1');
    // The same graphs at another strength, so the results differ.
    await service.models.drop(TONE, 2, (draft) => {
      draft.levels['low']!['strength'] = 0.1;
    });
    await service.models.drop(TONE, 3);
    await service.models.drop('upscale', 2, madeSmall);
  });
  afterAll(() => service?.close());

  const admin = async (...words: readonly string[]): Promise<unknown> =>
    adminAnswer(service.databaseUrl, 'model', ...words);
  const figuresOf = async (operation: string) =>
    (await admin('shadow-figures', operation)) as ShadowFiguresDto;
  const state = (
    operation: string,
    what: string,
    check: (seen: ConsoleOperationDto) => boolean,
  ): Promise<ConsoleOperationDto> =>
    eventually(
      what,
      async () => {
        const all = (await admin('list')) as ConsoleOperationDto[];
        const seen = all.find((one) => one.operation === operation)!;
        return check(seen) ? { found: seen } : { seen: [seen, service.supervisor.errors.slice(-1_500)] };
      },
      LASTING,
    );
  const figures = (
    operation: string,
    what: string,
    check: (seen: ShadowFiguresDto) => boolean,
  ): Promise<ShadowFiguresDto> =>
    eventually(
      what,
      async () => {
        const seen = await figuresOf(operation);
        return check(seen) ? { found: seen } : { seen: [seen, service.supervisor.errors.slice(-1_500)] };
      },
      LASTING,
    );
  const start = async (operation: string, version: number): Promise<void> => {
    await state(operation, `version ${version} to be found`, ({ versions }) =>
      versions.some((one) => one.version === String(version) && one.canServe),
    );
    await admin('shadow', operation, String(version), '--percent', '100');
    await state(operation, 'the shadow to be loaded', ({ shadow }) => shadow?.loadedOn.length === 1);
    // The previous worker, which did not load it, takes no more jobs.
    await eventually('one worker', async () => {
      const workers = service.workers();
      return workers.length === 1 ? { found: true } : { seen: workers };
    });
  };
  const jobs = async (count: number, order: object = {}): Promise<JobDto[]> => {
    const created = await Promise.all(
      Array.from({ length: count }, () =>
        service.client.create(sourceUrl, { operation: TONE, level: 'low', cache: false, ...order }),
      ),
    );
    const done: JobDto[] = [];
    for (const { id } of created) done.push(await service.client.completed(id));
    for (const { attempts, model } of done) expect([attempts, model!.version]).toEqual([1, 1]);
    return done;
  };
  /** Waits until the shadow of `upscale` is in the middle of a run. */
  const inTheMiddle = async (): Promise<{ workerId: string; job: JobDto }> => {
    const { id } = await service.client.create(busyUrl, { ...BUSY_ORDER, cache: false });
    const job = await service.client.completed(id);
    const workerId = await eventually('a shadow run', async () => {
      const [row] = await service.rows<{ id: string }>(
        `SELECT worker_id AS id FROM model_shadow_runs r JOIN model_workers w ON w.id = r.worker_id
          WHERE w.state = 'serving' AND w.seen_at > now() - interval '40 seconds'`,
      );
      return row === undefined ? { seen: await figuresOf('upscale') } : { found: row.id };
    });
    return { workerId, job };
  };

  it('compares finished jobs with the serving version, without side effects for customers', async () => {
    await start(TONE, 2);
    const before = await service.client.usage();
    const done = await jobs(1);
    const first = await figures(TONE, 'the first comparison', ({ compared }) => compared === 1);
    expect(first).toMatchObject({ version: 2, serving: 1, measure: 'color', failed: 0, dropped: 0, lost: 0 });
    expect(first.medianPercent).toBeGreaterThan(0);
    expect(first.psnrDb).toBeLessThan(60);
    expect(first.timeRatio).toBeGreaterThan(0);
    done.push(...(await jobs(JOBS)));
    const all = await figures(
      TONE,
      'every job to be accounted for',
      ({ compared, dropped }) => compared + dropped === JOBS + 1,
    );
    expect(all.failed).toBe(0);
    // The same photo and strength give the same difference.
    expect(all.worstPercent).toBeCloseTo(first.worstPercent!, 3);
    const usage = await service.client.usage();
    expect(usage.enhancements.used - before.enhancements.used).toBe(JOBS + 1);
    const held = await heldFiles(service.dataDir);
    expect([held.results.length, held.temporary]).toEqual([JOBS + 1, []]);
    const health = await service.health();
    expect(health.workers.flatMap(({ versions }) => versions)).not.toContainEqual({
      operation: TONE,
      version: 2,
    });
    const offered = (await service.client.request('GET', '/api/ai/operations')).json;
    expect(offered['data']).toContainEqual(
      expect.objectContaining({ operation: TONE, model: expect.objectContaining({ version: 1 }) as object }),
    );
    const batches = await eventually('the batches of the worker', async () => {
      const seen = await service.rows<{ version: number }>(
        `SELECT DISTINCT (b->>'version')::int AS version
           FROM model_workers, jsonb_array_elements(last_batches->'${TONE}') b WHERE state = 'serving'`,
      );
      return seen.length === 0 ? { seen } : { found: seen };
    });
    expect(batches).toEqual([{ version: 1 }]);
  });

  it('skips jobs deleted on delivery, and compares only the first operation of a chain', async () => {
    const { compared, dropped } = await figuresOf(TONE);
    await jobs(1, { retention: 'deliver' });
    const { id } = await service.client.create(sourceUrl, {
      operations: [
        { operation: 'upscale', level: 'low' },
        { operation: TONE, level: 'low' },
      ],
      cache: false,
    });
    await service.client.completed(id);
    // Only this chain starts with the compared operation.
    const chain = await service.client.create(sourceUrl, {
      operations: [
        { operation: TONE, level: 'high', strength: 0.4 },
        { operation: 'upscale', level: 'low' },
      ],
      cache: false,
    });
    await service.client.completed(chain.id);
    const all = await figures(TONE, 'the chain to be compared', (seen) => seen.compared > compared);
    expect(all.compared + all.dropped).toBe(compared + dropped + 1);
  });

  it('finds no difference between identical versions', async () => {
    await admin('stop-shadow', TONE);
    await start(TONE, 3);
    await jobs(1);
    const seen = await figures(TONE, 'a comparison', ({ compared }) => compared === 1);
    expect(seen).toMatchObject({ version: 3, medianPercent: 0, worstPercent: 0, psnrDb: null });
  });

  it('yields to an incoming job', async () => {
    await start('upscale', 2);
    await inTheMiddle();
    await jobs(1);
    const { compared } = await figures('upscale', 'the run to be dropped', ({ dropped }) => dropped === 1);
    expect(compared).toBe(0);
    expect(await service.rows('SELECT * FROM model_shadow_runs WHERE operation = $1', ['upscale'])).toEqual(
      [],
    );
  });

  it('continues after kill -9 of the worker, and the job keeps its result', async () => {
    const { workerId, job } = await inTheMiddle();
    process.kill(service.supervisor.role('worker')!.pid, 'SIGKILL');
    await jobs(2);
    expect((await service.client.job(job.id)).status).toBe('completed');
    expect((await service.client.bytesAt(job.resultUrl!)).length).toBeGreaterThan(0);
    // Simulates 45 seconds without a heartbeat.
    await service.rows(`UPDATE model_workers SET seen_at = now() - interval '1 minute' WHERE id = $1`, [
      workerId,
    ]);
    await figures('upscale', 'the dead worker to be known', ({ lost }) => lost === 1);
    const { id } = await service.client.create(sourceUrl, { ...BUSY_ORDER, cache: false });
    await service.client.completed(id);
    const seen = await figures('upscale', 'a comparison', ({ compared }) => compared === 1);
    expect(seen).toMatchObject({ lost: 1, isPaused: false, failed: 0, worstPercent: 0 });
  });

  it('is refused with the reason when its results differ in size', async () => {
    await admin('stop-shadow', 'upscale');
    await service.models.drop('upscale', 4, onlyLow);
    await state('upscale', 'version 4 to be found', ({ versions }) =>
      versions.some(({ version, canServe }) => version === '4' && canServe),
    );
    await admin('shadow', 'upscale', '4', '--percent', '100');
    const { shadow } = await state('upscale', 'the refusal', ({ versions }) =>
      versions.some(({ version, reasons }) => version === '4' && /cannot be a shadow/.test(reasons.join())),
    );
    expect(shadow!.loadedOn).toEqual([]);
    await jobs(1);
    await admin('stop-shadow', 'upscale');
  });

  it('stops while its folder is missing, and resumes when it is back', async () => {
    await service.models.remove(TONE, 3);
    await state(TONE, 'no worker to have it', ({ shadow }) => shadow?.loadedOn.length === 0);
    await jobs(2);
    await service.models.drop(TONE, 3);
    await state(TONE, 'the shadow to be back', ({ shadow }) => shadow?.loadedOn.length === 1);
    const { compared } = await figuresOf(TONE);
    await jobs(1);
    const after = await figures(TONE, 'another comparison', (seen) => seen.compared > compared);
    expect(after).toMatchObject({ version: 3, lost: 0 });
  });

  it('ends when its version is chosen to serve', async () => {
    await admin('serve', TONE, '3');
    const { shadow } = await state(TONE, 'it to serve', ({ offered }) => offered === 3);
    expect(shadow).toBeNull();
    expect(await admin('shadow-figures', TONE)).toEqual([]);
  });
});
