import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { WaitingJob } from '../../jobs/queue/fair-queue.repository.js';
import type { AdmittedJob, JobAdmission } from './job-admission.js';
import { LargeJobs } from './large-jobs.js';
import { TEST_PIXELS, testAdmission, waitingJob } from './testing/test-admission.js';

const MINUTE_MS = 60_000;
/** How often workers look for jobs. */
const LOOK_MS = 2_000;
/** Of the small workers: enough for jobs of `TEST_PIXELS`. */
const SMALL_DISK_BYTES = 20 * TEST_PIXELS;

let nowMs: number;

beforeEach(() => {
  nowMs = 1_000;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
});
afterEach(() => void vi.restoreAllMocks());

describe('a job that is larger than the disks of some workers', () => {
  let waiting: WaitingJob[];
  let claimed: WaitingJob[];
  /** The largest disk that another worker reports, bytes. */
  let otherScratchBytes: number;
  let failures: { readonly error: unknown[]; readonly atMs: number }[];

  const worker = (scratchBytes = SMALL_DISK_BYTES): JobAdmission =>
    testAdmission({
      kinds: ['upscale'],
      budgetBytes: 2 ** 40,
      scratchBytes: () => scratchBytes,
      otherScratchBytes: () => otherScratchBytes,
      waiting: () => waiting,
      claim: async (jobId) => {
        const job = waiting.find(({ id }) => id === jobId);
        if (job === undefined) return undefined;
        waiting = waiting.filter(({ id }) => id !== jobId);
        const claim = { ...job, claims: job.claims + 1 };
        claimed.push(claim);
        return { attempt: 1, number: claim.claims };
      },
      requeue: async ({ jobId }) => {
        const job = claimed.findLast(({ id }) => id === jobId)!;
        waiting.unshift({ ...job, machineFaults: job.machineFaults + 1 });
        return true;
      },
      fail: async (...error) => {
        failures.push({ error, atMs: nowMs - 1_000 });
        return true;
      },
    });

  const large = (): WaitingJob => waitingJob('large', { sourcePixels: 100 * TEST_PIXELS });
  const small = (id: string): WaitingJob => waitingJob(id);
  const idOf = (admitted: AdmittedJob | undefined): string | undefined => admitted?.job.id;

  /** Lets these workers look for jobs until then, or until the job has failed. */
  async function look(workers: readonly JobAdmission[], untilMs: number): Promise<void> {
    for (; nowMs - 1_000 < untilMs && failures.length === 0; nowMs += LOOK_MS)
      for (const each of workers) expect(await each.next()).toBeUndefined();
  }

  beforeEach(() => {
    waiting = [large()];
    claimed = [];
    failures = [];
    otherScratchBytes = 0;
  });

  it('waits untouched for one with a larger disk, however many small ones there are', async () => {
    const busy = worker(Infinity);
    await look(
      Array.from({ length: 8 }, () => worker()),
      2 * MINUTE_MS,
    );
    expect(claimed).toEqual([]);
    expect((await busy.next())?.job).toMatchObject({ id: 'large', claims: 1, machineFaults: 0 });
  });

  it('waits for hours while a busy worker has a disk for it, and fails some minutes after that worker is gone', async () => {
    const admission = worker();
    otherScratchBytes = 1_000 * TEST_PIXELS;
    await look([admission], 180 * MINUTE_MS);
    expect(claimed).toEqual([]);
    otherScratchBytes = 0;
    await look([admission], 200 * MINUTE_MS);
    expect(failures).toHaveLength(1);
    expect(failures[0]!.atMs).toBeGreaterThan(181 * MINUTE_MS);
  });

  it('lets smaller jobs pass', async () => {
    const admission = worker();
    waiting.push(small('a'), small('b'));
    expect([idOf(await admission.next()), idOf(await admission.next())]).toEqual(['a', 'b']);
    expect(await admission.isWorkWaiting()).toBe(false);
  });

  it('lets smaller jobs pass although it would have to run alone', async () => {
    const admission = worker();
    waiting = [small('a'), { ...large(), machineFaults: 2 }, small('b')];
    expect([idOf(await admission.next()), idOf(await admission.next())]).toEqual(['a', 'b']);
  });

  it('does not interrupt work that gives way to jobs', async () => {
    const admission = worker();
    waiting = [];
    const isBrokenOff = vi.fn<() => void>();
    await admission.spare({ memoryBytes: 1, disk: { scratchBytes: 1, storeBytes: 0 } }, isBrokenOff);
    waiting = [large()];
    expect(await admission.next()).toBeUndefined();
    expect(isBrokenOff).not.toHaveBeenCalled();
  });

  it.each([1, 8])('fails after some minutes if there is none, with %i workers', async (count) => {
    await look(
      Array.from({ length: count }, () => worker()),
      10 * MINUTE_MS,
    );
    const [failed] = failures;
    expect(failed?.error).toEqual([
      'large',
      expect.any(String),
      'service_unavailable',
      expect.stringContaining('more disk space than the machines of the service have'),
    ]);
    // Two minutes, and then the pauses between eight returns, which many workers do not shorten.
    expect(failed?.atMs).toBeGreaterThan(2.75 * MINUTE_MS);
    expect(failed?.atMs).toBeLessThan(5 * MINUTE_MS);
  });

  it('fails also if workers restart in between', async () => {
    await look([worker()], 1.5 * MINUTE_MS);
    await look([worker()], 4 * MINUTE_MS);
    expect(claimed.length).toBeGreaterThan(0);
    expect(failures).toEqual([]);
    await look([worker()], 20 * MINUTE_MS);
    expect(failures).toHaveLength(1);
  });
});

describe('LargeJobs', () => {
  const job = (claims = 0) => ({ id: 'job_1', claims });
  const skipped = (jobs: LargeJobs): string[] => [...jobs.skipped()];

  it('skip a job for a minute at a time, and for two in total', () => {
    const jobs = new LargeJobs(2 * MINUTE_MS);
    expect(jobs.skip(job())).toBe(true);
    nowMs += MINUTE_MS - 1;
    expect(skipped(jobs)).toEqual(['job_1']);
    nowMs += 1;
    expect(skipped(jobs)).toEqual([]);
    nowMs += MINUTE_MS / 2;
    expect(jobs.skip(job())).toBe(true);
    nowMs += MINUTE_MS / 2 - 1;
    expect(skipped(jobs)).toEqual(['job_1']);
    nowMs += 1;
    expect(skipped(jobs)).toEqual([]);
    expect(jobs.skip(job())).toBe(false);
    expect(skipped(jobs)).toEqual([]);
  });

  it('begin anew after a claim by another worker, and continue after one of their own', () => {
    const jobs = new LargeJobs(2 * MINUTE_MS);
    jobs.skip(job());
    nowMs += 2 * MINUTE_MS;
    expect(jobs.skip(job(1))).toBe(true);
    nowMs += 2 * MINUTE_MS;
    expect(jobs.skip(job(1))).toBe(false);
    jobs.counted('job_1', 2);
    expect(jobs.skip(job(2))).toBe(false);
  });

  it('begin anew when a busy worker has a disk for the job', () => {
    const jobs = new LargeJobs(2 * MINUTE_MS);
    jobs.skip(job());
    nowMs += 2 * MINUTE_MS;
    jobs.wait(job());
    expect(skipped(jobs)).toEqual(['job_1']);
    nowMs += MINUTE_MS;
    expect(skipped(jobs)).toEqual([]);
    expect(jobs.skip(job())).toBe(true);
  });

  it('remember a job between two looks of a worker that is busy for hours', () => {
    const jobs = new LargeJobs(2 * MINUTE_MS);
    jobs.skip(job());
    nowMs += 180 * MINUTE_MS;
    expect(jobs.skip(job())).toBe(false);
  });

  it('forget jobs that they have not met for a day', () => {
    const jobs = new LargeJobs(2 * MINUTE_MS);
    jobs.skip(job());
    nowMs += 24 * 60 * MINUTE_MS + 1;
    jobs.skip({ id: 'job_2', claims: 0 });
    expect(jobs.skip(job())).toBe(true);
  });
});
