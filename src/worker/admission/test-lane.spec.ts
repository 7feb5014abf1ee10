import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { WaitingJob } from '../../jobs/queue/fair-queue.repository.js';
import { TEST_KIND } from '../../jobs/test-mode/test-job.js';
import { testAccountOf } from '../../kernel/accounts/livemode.js';
import type { AdmittedJob, JobAdmission } from './job-admission.js';
import { JobConcurrency } from './job-concurrency.js';
import { memoryNeed } from './memory-need.js';
import { TEST_PIXELS, TEST_ROUTE, testAdmission, waitingJob } from './testing/test-admission.js';

const ONE_JOB = memoryNeed(waitingJob('any'), [{ step: { pixels: TEST_PIXELS }, route: TEST_ROUTE }]);
const BUDGET = 2.2 * ONE_JOB;
/** Pixels of a job that needs all memory. */
const ALL_PIXELS = 100 * TEST_PIXELS;

describe('a test job', () => {
  let waiting: WaitingJob[];
  let admission: JobAdmission;

  const job = (id: string, sourcePixels = TEST_PIXELS): WaitingJob => waitingJob(id, { sourcePixels });
  const drawn = (id: string, sourcePixels = TEST_PIXELS): WaitingJob => ({
    ...waitingJob(id, { operation: TEST_KIND, sourcePixels }),
    accountId: testAccountOf('acc_1'),
  });
  const idOf = (admitted: AdmittedJob | undefined): string | undefined => admitted?.job.id;

  beforeEach(() => {
    waiting = [];
    admission = testAdmission({
      kinds: ['upscale'],
      budgetBytes: BUDGET,
      waiting: () => waiting,
      claim: async (jobId) => {
        waiting = waiting.filter(({ id }) => id !== jobId);
        return { attempt: 1, number: 1 };
      },
    });
  });

  it('that finds no free memory does not keep live jobs waiting', async () => {
    waiting = [job('a'), job('b'), drawn('test'), job('c')];
    const [a, b] = [await admission.next(), await admission.next()];
    expect(await admission.next('test')).toBeUndefined();
    a!.release();
    expect(idOf(await admission.next())).toBe('c');
    b!.release();
    expect(idOf(await admission.next('test'))).toBe('test');
  });

  it('that takes most of the memory starts only while no live job waits', async () => {
    waiting = [drawn('large', ALL_PIXELS), job('a')];
    expect(await admission.next('test')).toBeUndefined();
    const a = await admission.next();
    a!.release();
    expect([idOf(a), idOf(await admission.next('test'))]).toEqual(['a', 'large']);
  });

  it('that takes most of the memory returns it when a live job comes', async () => {
    waiting = [drawn('large', ALL_PIXELS)];
    const large = await admission.next('test');
    waiting = [job('a'), drawn('other', ALL_PIXELS)];
    const live = admission.next();
    await vi.waitFor(() => expect(large!.abort.signal.reason).toMatchObject({ why: 'displaced' }));
    large!.release();
    expect(idOf(await live)).toBe('a');
  });

  it.each([
    ['small test job', drawn('running')],
    ['live job', job('running', ALL_PIXELS)],
  ])('is the only kind of job that gives way: a %s goes on', async (_, running) => {
    waiting = [running];
    const first = await admission.next(running.operation === TEST_KIND ? 'test' : 'live');
    waiting = [job('a', ALL_PIXELS)];
    const live = admission.next();
    await new Promise(setImmediate);
    first!.release();
    expect(idOf(await live)).toBe('a');
    expect(first!.abort.signal.aborted).toBe(false);
  });

  it('for which there is room is admitted while live jobs wait for memory', async () => {
    waiting = [job('a'), job('b', ALL_PIXELS), drawn('test')];
    const a = await admission.next();
    const live = [admission.next(), admission.next()];
    const test = await admission.next('test');
    expect(idOf(test)).toBe('test');
    test!.release();
    a!.release();
    expect((await Promise.all(live)).map(idOf)).toEqual(['b', undefined]);
  });

  it('is no reason for a waiting live job to wait longer than for one of them', async () => {
    waiting = [job('a'), job('b', ALL_PIXELS), ...['t1', 't2', 't3'].map((id) => drawn(id))];
    const order: (string | undefined)[] = [];
    const a = await admission.next();
    const live = admission.next().then((admitted) => order.push(idOf(admitted)));
    const tests = new JobConcurrency(1, async () => {
      const test = await admission.next('test');
      if (test === undefined) return false;
      order.push(idOf(test));
      // The live job that runs ends beside the second test job, which holds some of the memory for a while.
      if (order.length === 2) {
        a!.release();
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      test.release();
      return true;
    });
    await Promise.all([tests.work(), live]);
    expect(order).toEqual(['t1', 't2', 'b']);
  });
});
