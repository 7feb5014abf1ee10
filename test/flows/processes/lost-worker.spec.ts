import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FlowClient } from '../../support/roles/flow-client.js';
import { BUSY_ORDER, busyFile, solidFile } from '../../support/images/flow-drawn.js';
import { FlowService } from '../../support/roles/flow-service.js';
import { eventually } from '../../support/roles/flow-wait.js';
import { IdleWorker } from '../../support/roles/idle-worker.js';

/** Half the pixels of the usual busy file are enough to kill the worker in the middle of a job. */
const BUSY_EDGE = 450;

/** Each test kills the worker and leaves one running. */
describe('a killed worker', () => {
  let service: FlowService;
  let client: FlowClient;
  let busyUrl: string;
  let smallUrl: string;

  beforeAll(async () => {
    service = await FlowService.start({ models: ['smooth_skin', 'upscale'], env: { JOB_LEASE_MS: '1500' } });
    client = await service.client();
    await service.database.listen();
    busyUrl = (await client.upload(await busyFile(BUSY_EDGE))).url;
    smallUrl = (await client.upload(await solidFile(16, 16, [9, 9, 9]))).url;
  });
  afterAll(() => service?.close());

  const used = async () => (await client.usage()).enhancements.used;

  async function expectDoneOnce(id: string, usedBefore: number): Promise<void> {
    expect(await service.database.ledger(id)).toEqual(['commit', 'reserve']);
    expect(await used()).toBe(usedBefore + 1);
    expect(await service.database.events(id)).toEqual([
      'enhancement.completed',
      'enhancement.queued',
      'image.completed',
      'job.completed',
    ]);
    expect((await service.files()).results.filter((name) => name.startsWith(id))).toEqual([`${id}-2.png`]);
  }

  it('does not lose its job: a second attempt completes it exactly once', async () => {
    const usedBefore = await used();
    const { id } = await client.create(busyUrl, BUSY_ORDER);
    await client.until(id, 'processing');
    expect(await service.killRole('worker')).toMatchObject({ signal: 'SIGKILL' });
    expect((await service.database.job(id))['status'], 'the kill hit the job').toBe('processing');
    await client.until(id, 'queued');
    await service.startRole('worker');
    expect(await client.completed(id)).toMatchObject({ attempts: 2, progress: 1, error: null });
    await expectDoneOnce(id, usedBefore);
    // The thumbnail is stored just after the job is reported as completed, so it may still be written for a moment.
    await eventually('nothing to be half written', async () => {
      const { temporary } = await service.files();
      return temporary.length > 0 ? { seen: temporary } : { found: true };
    });
  });

  it('does not lose a chain, and each step is charged once', async () => {
    const usedBefore = await used();
    // Larger, so that its second step is seen on a fast machine, too.
    const { url } = await client.upload(await busyFile(640));
    const { id } = await client.create(url, {
      operations: [BUSY_ORDER, { operation: 'smooth_skin' }],
    });
    await eventually('the second step to be under way', async () => {
      const { progress, status } = await client.job(id);
      return status === 'processing' && progress > 0.2 ? { found: true } : { seen: { progress, status } };
    });
    await service.killRole('worker');
    await client.until(id, 'queued');
    await service.startRole('worker');
    const job = await client.completed(id);
    expect(job).toMatchObject({ attempts: 2, progress: 1, error: null });
    expect(job.operations.every(({ model, timings }) => model !== null && timings !== null)).toBe(true);
    expect(await service.database.ledger(id)).toEqual(['commit', 'reserve']);
    expect(await used()).toBe(usedBefore + 2);
  });

  it('leaves no second result when it dies between storing and recording the result', async () => {
    const usedBefore = await used();
    // The paused worker takes the job only when the lock is held, however small the job is.
    const worker = new IdleWorker(service);
    await worker.pause();
    const { id } = await client.create(smallUrl, { operation: 'upscale', level: 'low' });
    // After storing, the worker settles the quota. The lock makes it wait there, and it is killed while it waits.
    await service.database.whileLocked('quota_ledger', async () => {
      worker.resume();
      await eventually('the worker to record the result', async () => {
        const [blocked, { results }] = [await service.database.blocked(), await service.files()];
        return blocked > 0 && results.includes(`${id}-1.png`)
          ? { found: true }
          : { seen: { blocked, results } };
      });
      await service.killRole('worker');
    });
    await service.startRole('worker');
    expect(await client.completed(id)).toMatchObject({ attempts: 2 });
    await eventually('the first result to be deleted', async () => {
      const { results } = await service.files();
      return results.includes(`${id}-1.png`) ? { seen: results } : { found: true };
    });
    await expectDoneOnce(id, usedBefore);
  });

  it('fails a job that kills it twice, while the other jobs complete', async () => {
    // Large, because nobody waits for its end: this leaves time to see what runs at the same time.
    const poisonUrl = (await client.upload(await busyFile(1024))).url;
    const poison = await client.create(poisonUrl, BUSY_ORDER);
    const beside = await Promise.all([1, 2].map(() => client.create(busyUrl, BUSY_ORDER)));
    const behind = await Promise.all([1, 2].map(() => client.create(smallUrl, { operation: 'smooth_skin' })));
    const usedBefore = await used();

    for (const { id } of [...beside, poison]) await client.until(id, 'processing');
    await service.killRole('worker');
    await service.startRole('worker');
    await eventually('the poison to be well under way again', async () => {
      const { status, attempts, progress } = await client.job(poison.id);
      const isUnderWay = status === 'processing' && attempts === 2 && progress > 0;
      return isUnderWay ? { found: true } : { seen: { status, attempts, progress } };
    });
    // Any job that ran when a worker died may have killed it, so each of them is retried alone.
    expect(await service.database.rows(`SELECT id FROM jobs WHERE status = 'processing'`)).toEqual([
      { id: poison.id },
    ]);
    await service.killRole('worker');
    await service.startRole('worker');

    const failed = await client.until(poison.id, 'completed', 'failed');
    expect(failed).toMatchObject({
      status: 'failed',
      attempts: 2,
      error: { code: 'worker_lost', retryable: true },
    });
    for (const { id } of [...beside, ...behind]) await client.completed(id);
    expect(await service.database.ledger(poison.id)).toEqual(['refund', 'reserve']);
    expect(await used()).toBe(usedBefore - 1);
    expect((await service.files()).results.filter((name) => name.startsWith(poison.id))).toEqual([]);
  });
});
