import { describe, expect, it } from 'vitest';
import { DeviceLostError } from '../inference/device-fault.js';
import { ServerUnavailable } from '../inference/engines/triton/server-errors.js';
import { StageError } from '../inference/stage-error.js';
import type { JobCompletion } from '../jobs/job-completion.js';
import type { JobLeaseRepository } from '../jobs/queue/job-lease.repository.js';
import { AppError } from '../kernel/app-error.js';
import { JobRequeuer } from './job-requeuer.js';
import type { JobRun } from './job-run.js';
import { JobSettlement } from './job-settlement.js';
import { RunStopped } from './lease-keeper.js';

type Parts = ConstructorParameters<typeof JobSettlement>;

const RUN = {
  job: { id: 'job_1', machineFaults: 2 },
  lease: { jobId: 'job_1', token: 'token' },
  signal: new AbortController().signal,
} as unknown as JobRun;

interface Circumstances {
  readonly isServerWaitTooLong?: boolean;
  readonly signal?: AbortSignal;
  /** Releases the lease of a stopped run. */
  readonly release?: () => Promise<void>;
}

/** Settles a run with this error; returns how it ended and what was called. */
async function settled(
  error: unknown,
  { isServerWaitTooLong = false, signal = RUN.signal, release }: Circumstances = {},
): Promise<{ end: string; calls: string[] }> {
  const calls: string[] = [];
  const called =
    <T>(name: string, value: T) =>
    async (): Promise<T> => {
      calls.push(name);
      return value;
    };
  const settlement = new JobSettlement(
    { release: called('release', true) } as unknown as Parts[0],
    { fail: called('fail', true) } as unknown as Parts[1],
    { discard: called('discard', undefined) } as unknown as Parts[2],
    { suspend: () => calls.push('suspend') } as unknown as Parts[3],
    {
      requeue: called('requeue', 'returned'),
      release: release ?? called('releaseDrained', undefined),
    } as unknown as Parts[4],
    { isTooLong: () => isServerWaitTooLong } as unknown as Parts[5],
  );
  return { end: await settlement.settle({ ...RUN, signal }, error), calls };
}

describe('JobSettlement', () => {
  it.each(['57014', '55P03', '40P01', '40001', 'ECONNREFUSED'])(
    'returns a job to the queue after the database error %s, and takes further jobs',
    async (code) => {
      const error = Object.assign(new Error('the database'), { code });
      expect(await settled(error)).toEqual({ end: 'stopped', calls: ['discard', 'requeue'] });
    },
  );

  it('returns a job to the queue after a disk fault, and suspends the worker', async () => {
    const error = Object.assign(new Error('the disk'), { code: 'EIO' });
    expect(await settled(error)).toEqual({ end: 'stopped', calls: ['suspend', 'discard', 'requeue'] });
  });

  it('returns a job to the queue that found no decoder', async () => {
    const cause = Object.assign(new Error('too many images wait'), { code: 'EAGAIN' });
    const error = new AppError('service_unavailable', { cause });
    expect(await settled(error)).toEqual({ end: 'stopped', calls: ['suspend', 'discard', 'requeue'] });
  });

  it('returns a job to the queue whose decoder was killed, and trusts the disks', async () => {
    const cause = Object.assign(new Error('the image process was killed'), { code: 'ENOMEM' });
    const error = new AppError('service_unavailable', { cause });
    expect(await settled(error)).toEqual({ end: 'stopped', calls: ['discard', 'requeue'] });
  });

  it.each([
    ['a lost device', new DeviceLostError('the thread is gone')],
    ['a device without memory', new StageError('upscale/1/x4', 'std::bad_alloc', true)],
  ])('returns a job to the queue after %s, and trusts the disks', async (_, error) => {
    expect(await settled(error)).toEqual({ end: 'stopped', calls: ['discard', 'requeue'] });
  });

  it('fails a job that its model does not run', async () => {
    const error = new StageError('upscale/1/x4', 'Got invalid dimensions for input: image');
    expect(await settled(error)).toEqual({ end: 'failed', calls: ['fail', 'discard'] });
  });

  it('counts the return of a job whose request got no response, or was refused for too long', async () => {
    const counted = { end: 'stopped', calls: ['discard', 'requeue'] };
    const refused = new ServerUnavailable('it answers 503');
    const cut = new ServerUnavailable('it ended the connection', { isUnanswered: true });
    expect(await settled(cut)).toEqual(counted);
    expect(await settled(refused, { isServerWaitTooLong: true })).toEqual(counted);
    expect(await settled(refused)).toEqual({ end: 'stopped', calls: ['discard', 'release'] });
  });

  it.each([
    ['drain', ['releaseDrained', 'discard']],
    ['displaced', ['releaseDrained', 'discard']],
    ['lost', ['discard']],
  ] as const)('stops a run whose signal says %s', async (why, calls) => {
    const signal = AbortSignal.abort(new RunStopped(why));
    expect(await settled(new Error('aborted'), { signal })).toEqual({ end: 'stopped', calls });
  });

  it('releases a displaced run once the database is available again, so that no attempt counts', async () => {
    const outage = Object.assign(new Error('the database'), { code: 'ECONNREFUSED' });
    let releases = 0;
    const release = async (): Promise<void> => {
      releases += 1;
      if (releases === 1) throw outage;
    };
    const signal = AbortSignal.abort(new RunStopped('displaced'));
    expect(await settled(new Error('aborted'), { signal, release })).toEqual({
      end: 'stopped',
      calls: ['discard'],
    });
    expect(releases).toBe(2);
  });

  it('fails a job after any other error', async () => {
    expect(await settled(new Error('a fault'))).toEqual({ end: 'failed', calls: ['fail', 'discard'] });
  });
});

const LEASE = { jobId: 'job_1', token: 'token' };

/** What happens to a job with these counts when its worker stops. */
async function drained(job: { claims: number; attempts: number; machineFaults: number }): Promise<unknown[]> {
  const calls: unknown[] = [];
  const called =
    (name: string) =>
    async (...values: unknown[]): Promise<boolean> => {
      calls.push([name, ...values]);
      return true;
    };
  const requeuer = new JobRequeuer(
    { release: called('release') } as unknown as JobLeaseRepository,
    { fail: called('fail') } as unknown as JobCompletion,
    { jobMaxReturns: 8 },
  );
  await requeuer.release(LEASE, job);
  return calls;
}

describe('JobRequeuer, which settlement and drains use', () => {
  it('returns the job of a worker that stops to the queue, also after many drains', async () => {
    expect(await drained({ claims: 1, attempts: 1, machineFaults: 0 })).toEqual([['release', LEASE]]);
    expect(await drained({ claims: 1_000, attempts: 1, machineFaults: 0 })).toEqual([['release', LEASE]]);
  });

  it('fails a job that was released a thousand times when its next worker stops', async () => {
    const failed = [
      [
        'fail',
        'job_1',
        'token',
        'service_unavailable',
        expect.stringContaining('run of this job was stopped'),
      ],
    ];
    expect(await drained({ claims: 1_001, attempts: 1, machineFaults: 0 })).toEqual(failed);
  });

  it('does not count attempts and machine faults as releases', async () => {
    expect(await drained({ claims: 1_003, attempts: 2, machineFaults: 2 })).toEqual([['release', LEASE]]);
    expect(await drained({ claims: 1_004, attempts: 2, machineFaults: 2 })).toEqual([
      expect.arrayContaining(['fail']),
    ]);
  });
});
