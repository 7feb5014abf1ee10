import { beforeEach, describe, expect, it } from 'vitest';
import type { WaitingJob } from '../../jobs/queue/fair-queue.repository.js';
import { TEST_KIND } from '../../jobs/test-mode/test-job.js';
import { testAccountOf } from '../../kernel/accounts/livemode.js';
import type { AdmittedJob, JobAdmission } from './job-admission.js';
import { memoryNeed } from './memory-need.js';
import { TEST_PIXELS, TEST_ROUTE, testAdmission, waitingJob } from './testing/test-admission.js';

const ONE_JOB = memoryNeed(waitingJob('any'), [{ step: { pixels: TEST_PIXELS }, route: TEST_ROUTE }]);

/** A job with this many pixels. */
const job = (id: string, sourcePixels?: number): WaitingJob =>
  waitingJob(id, sourcePixels === undefined ? {} : { sourcePixels });

describe('JobAdmission', () => {
  let waiting: WaitingJob[];
  /** Jobs that another worker claims between the read and the claim. */
  let lost: Set<string>;
  let isCommitted: Promise<void>;
  let claims: string[];
  let admission: JobAdmission;

  const started = (budgetBytes: number, jobMaxReturns?: number): JobAdmission =>
    testAdmission({
      ...(jobMaxReturns !== undefined && { jobMaxReturns }),
      kinds: ['upscale'],
      unrunnable: ['away'],
      budgetBytes,
      waiting: () => waiting,
      claim: async (jobId) => {
        claims.push(jobId);
        await isCommitted;
        waiting = waiting.filter(({ id }) => id !== jobId);
        return lost.has(jobId) ? undefined : { attempt: 1, number: 1 };
      },
    });

  const idOf = (admitted: AdmittedJob | undefined): string | undefined => admitted?.job.id;
  const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

  beforeEach(() => {
    waiting = [];
    lost = new Set();
    isCommitted = Promise.resolve();
    claims = [];
    admission = started(10 * ONE_JOB);
  });

  it('admits each job once, in order, however many callers ask at once', async () => {
    waiting = ['a', 'b', 'c'].map((id) => job(id));
    const admitted = await Promise.all([1, 2, 3, 4].map(() => admission.next()));
    expect(admitted.map(idOf)).toEqual(['a', 'b', 'c', undefined]);
    expect(admitted[0]).toMatchObject({
      steps: [{ route: TEST_ROUTE }],
      job: { attempts: 1, claims: 1 },
      lease: { jobId: 'a' },
    });
  });

  it('decides on the next job before the last claim is committed, and admits no job twice', async () => {
    waiting = ['a', 'b'].map((id) => job(id));
    let commit = (): void => undefined;
    isCommitted = new Promise((resolve) => (commit = resolve));
    const admitted = Promise.all([1, 2, 3].map(() => admission.next()));
    await settled();
    expect(claims).toEqual(['a', 'b']);
    commit();
    expect((await admitted).map(idOf)).toEqual(['a', 'b', undefined]);
  });

  it('releases a claim whose response was lost, once the database answers again', async () => {
    waiting = [job('a')];
    const cut = Object.assign(new Error('the connection'), { code: 'ECONNRESET' });
    const tokens: string[] = [];
    const released: string[] = [];
    admission = testAdmission({
      kinds: ['upscale'],
      budgetBytes: 1.5 * ONE_JOB,
      waiting: () => waiting,
      claim: async (_, { token }) => {
        tokens.push(token);
        throw cut;
      },
      release: async ({ token }) => {
        released.push(token);
        if (released.length === 1) throw cut;
        return true;
      },
    });
    await expect(admission.next()).rejects.toBe(cut);
    await expect.poll(() => released).toEqual([tokens[0], tokens[0]]);
    // Its memory is free.
    await expect(admission.next()).rejects.toBe(cut);
  });

  it('admits only the kinds that it is limited to', async () => {
    waiting = [job('a')];
    admission.limitTo([]);
    expect(await admission.isWorkWaiting()).toBe(false);
    expect(await admission.next()).toBeUndefined();
    admission.limitTo(['upscale']);
    expect(idOf(await admission.next())).toBe('a');
  });

  it('waits for memory, and then admits the job that is first by then', async () => {
    admission = started(1.5 * ONE_JOB);
    waiting = [job('a'), job('b')];
    const first = await admission.next();
    const second = admission.next();
    await settled();
    waiting.unshift(job('single'));
    first!.release();
    expect(idOf(await second)).toBe('single');
  });

  it('admits a job that is larger than the memory only by itself', async () => {
    admission = started(1_000);
    waiting = [job('a'), job('b')];
    const first = await admission.next();
    let taken: string | undefined;
    const second = admission.next().then((admitted) => (taken = idOf(admitted)));
    await settled();
    expect(taken).toBeUndefined();
    first!.release();
    await second;
    expect(taken).toBe('b');
  });

  it('continues when another worker was faster, and keeps no memory for that job', async () => {
    admission = started(1.5 * ONE_JOB);
    waiting = [job('a'), job('b')];
    lost.add('a');
    expect(idOf(await admission.next())).toBe('b');
  });

  it('skips jobs of kinds that it cannot run, however many there are', async () => {
    waiting = Array.from({ length: 11 }, (_, index) => ({
      ...job(`job${index}`),
      operation: index === 10 ? 'upscale' : 'another',
    }));
    expect(await admission.isWorkWaiting()).toBe(true);
    expect(idOf(await admission.next())).toBe('job10');
    expect(await admission.isWorkWaiting()).toBe(false);
    expect(await admission.next()).toBeUndefined();
  });

  it('skips jobs of announced kinds for which it has no model, and then looks at the next ones', async () => {
    waiting = Array.from({ length: 30 }, (_, index) => waitingJob(`away${index}`, { operation: 'away' }));
    waiting.push(job('a'));
    // It looks at a limited number at a time.
    expect(await admission.isWorkWaiting()).toBe(false);
    expect(idOf(await admission.next())).toBe('a');
    expect(claims).toEqual(['a']);
    expect(await admission.next()).toBeUndefined();
  });

  it('admits nothing once it is closed, not even after a wait', async () => {
    admission = started(1_000);
    waiting = [job('a'), job('b')];
    const first = await admission.next();
    const second = admission.next();
    await settled();
    admission.close();
    first!.release();
    expect(await second).toBeUndefined();
    expect(waiting.map(({ id }) => id)).toEqual(['b']);
  });

  describe('of a job that was returned repeatedly', () => {
    const returned = (id: string, machineFaults: number): WaitingJob => waitingJob(id, { machineFaults });

    it('waits until it is alone, holds back later jobs, and lets none run beside it', async () => {
      waiting = [job('a'), job('b'), returned('suspect', 2), job('c'), job('d')];
      const [a, b] = [await admission.next(), await admission.next()];
      expect([a, b].map(idOf)).toEqual(['a', 'b']);
      expect(await admission.next()).toBeUndefined();
      a!.release();
      expect(await admission.next()).toBeUndefined();
      b!.release();
      const alone = await Promise.all([admission.next(), admission.next()]);
      expect(alone.map(idOf)).toEqual(['suspect', undefined]);
      expect(await admission.isWorkWaiting()).toBe(true);
      alone[0]!.release();
      expect([idOf(await admission.next()), idOf(await admission.next())]).toEqual(['c', 'd']);
    });

    it('is the same as of a job that lost its worker once', async () => {
      waiting = [job('a'), waitingJob('suspect', { attempts: 1 }), job('b')];
      const a = await admission.next();
      expect([idOf(a), idOf(await admission.next())]).toEqual(['a', undefined]);
      a!.release();
      const suspect = await admission.next();
      expect([idOf(suspect), idOf(await admission.next())]).toEqual(['suspect', undefined]);
      suspect!.release();
      expect(idOf(await admission.next())).toBe('b');
    });

    it('waits neither for jobs of the test mode nor keeps them waiting', async () => {
      const drawn = (id: string): WaitingJob => ({
        ...waitingJob(id, { operation: TEST_KIND }),
        accountId: testAccountOf('acc_1'),
      });
      waiting = [drawn('first'), returned('suspect', 2), drawn('second')];
      expect(idOf(await admission.next('test'))).toBe('first');
      expect(idOf(await admission.next())).toBe('suspect');
      expect(idOf(await admission.next('test'))).toBe('second');
    });

    it('does not wait after a first return, unless the next one would fail the job', async () => {
      waiting = [job('a'), returned('b', 1)];
      expect([idOf(await admission.next()), idOf(await admission.next())]).toEqual(['a', 'b']);
      admission = started(10 * ONE_JOB, 2);
      waiting = [job('a'), returned('b', 1)];
      expect([idOf(await admission.next()), idOf(await admission.next())]).toEqual(['a', undefined]);
    });

    it('leaves the worker to others when another worker was faster', async () => {
      waiting = [returned('suspect', 2), job('a'), job('b')];
      lost.add('suspect');
      expect([idOf(await admission.next()), idOf(await admission.next())]).toEqual(['a', 'b']);
    });
  });

  describe('spare', () => {
    const NEED = { memoryBytes: ONE_JOB, disk: { scratchBytes: 1, storeBytes: 0 } };
    let isBrokenOff: boolean;
    const spare = () => admission.spare(NEED, () => (isBrokenOff = true));

    beforeEach(() => {
      isBrokenOff = false;
    });

    it('is refused while a job runs or waits', async () => {
      waiting = [job('a')];
      expect(await spare()).toBeUndefined();
      const running = await admission.next();
      expect(await spare()).toBeUndefined();
      running!.release();
      expect(await spare()).toBeDefined();
    });

    it('is taken back at once when a job comes, even one that needs all memory', async () => {
      admission = started(ONE_JOB);
      const release = await spare();
      expect(isBrokenOff).toBe(false);
      waiting = [job('a')];
      const next = admission.next();
      await settled();
      expect(isBrokenOff).toBe(true);
      release!();
      expect(idOf(await next)).toBe('a');
    });

    it('ends with a pause or a close, and is refused afterward', async () => {
      for (const end of [() => admission.pause(true), () => admission.close()]) {
        admission = started(10 * ONE_JOB);
        isBrokenOff = false;
        expect(await spare()).toBeDefined();
        end();
        expect(isBrokenOff).toBe(true);
        expect(await spare()).toBeUndefined();
      }
    });

    it('is refused when memory is short', async () => {
      admission = started(ONE_JOB - 1);
      expect(await admission.spare({ ...NEED, memoryBytes: ONE_JOB - 1 }, () => undefined)).toBeDefined();
      expect(await spare()).toBeUndefined();
    });
  });
});
