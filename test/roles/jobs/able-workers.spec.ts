import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Database } from '../../../src/infra/database/database.js';
import { AbleWorkersRepository } from '../../../src/jobs/queue/able-workers.repository.js';
import { workKind } from '../../../src/models/repository/work-kind.js';
import { ModelWorkersRepository } from '../../../src/models/serving/model-workers.repository.js';
import type { WorkerTraits } from '../../../src/models/serving/worker-traits.js';
import { type Harness, startHarness } from '../../support/app/harness.js';

Logger.overrideLogger(false);

const NEED_BYTES = 1e12;
const WANTED = workKind('upscale', 'low', { scale: 2, producesAlpha: false });

describe('a worker with the scratch disk for a job', () => {
  let harness: Harness;
  let workers: ModelWorkersRepository;
  let able: AbleWorkersRepository;
  let jobId: string;

  beforeAll(async () => {
    harness = await startHarness();
    const account = await harness.createAccount();
    await harness.listen(account);
    workers = new ModelWorkersRepository(harness.app.get(Database));
    able = new AbleWorkersRepository(harness.app.get(Database));
    ({ id: jobId } = await harness.newJob(account, { operation: 'upscale', level: 'low' }));
  });
  afterAll(() => harness?.close());
  afterEach(() => harness.rows('DELETE FROM model_workers'));

  /** Announces a worker that can run the job, unless overridden. */
  async function announce(
    traits: Partial<WorkerTraits>,
    { id = 'large', kinds = [WANTED] }: { id?: string; kinds?: readonly string[] } = {},
  ): Promise<void> {
    const nothing = { operations: [], versions: [], refusals: [] };
    await workers.announce({ id, host: 'here', pid: 1, device: 'cpu', ...nothing, kinds, traits });
  }

  const hasDisk = (): Promise<boolean> => able.hasDiskFor(jobId, NEED_BYTES, 'this');

  it('is found by the size that it reports', async () => {
    expect(await hasDisk()).toBe(false);
    await announce({ scratchBytes: NEED_BYTES });
    expect(await hasDisk()).toBe(true);
  });

  it('is found for a job with stored steps only if it can run all of them', async () => {
    const [before] = await harness.rows<{ promise: unknown }>('SELECT promise FROM jobs WHERE id = $1', [
      jobId,
    ]);
    const setPromise = (promise: unknown): Promise<unknown> =>
      harness.rows('UPDATE jobs SET promise = $2::jsonb WHERE id = $1', [jobId, JSON.stringify(promise)]);
    await setPromise({ scale: 'steps', producesAlpha: `+${WANTED}+auto_enhance/low/1/false` });
    await announce({ scratchBytes: NEED_BYTES });
    expect(await hasDisk()).toBe(false);
    await announce({ scratchBytes: NEED_BYTES }, { id: 'both', kinds: [WANTED, 'auto_enhance/low/1/false'] });
    expect(await hasDisk()).toBe(true);
    await setPromise(before!.promise);
  });

  it.each<[string, Partial<WorkerTraits>, { id?: string; kinds?: readonly string[] }]>([
    ['with a smaller disk', { scratchBytes: NEED_BYTES - 1 }, {}],
    ['that reports no size', {}, {}],
    ['without the model', { scratchBytes: NEED_BYTES }, { kinds: ['auto_enhance/low/1/false'] }],
    ['that asks', { scratchBytes: NEED_BYTES }, { id: 'this' }],
  ])('is not the one %s', async (_, traits, row) => {
    await announce(traits, row);
    expect(await hasDisk()).toBe(false);
  });

  it('is not one that drains or is gone', async () => {
    await announce({ scratchBytes: NEED_BYTES });
    await workers.drain('large');
    expect(await hasDisk()).toBe(false);
    await workers.resume('large');
    expect(await hasDisk()).toBe(true);
    await harness.rows(`UPDATE model_workers SET seen_at = now() - interval '1 minute'`);
    expect(await hasDisk()).toBe(false);
  });
});
