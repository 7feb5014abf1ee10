import { beforeEach, describe, expect, it } from 'vitest';
import { JobConcurrency } from './job-concurrency.js';

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

describe('JobConcurrency', () => {
  let waiting: number;
  let inHand: number;
  let most: number;
  let looks: number;
  let finish: (() => void)[];
  let concurrency: JobConcurrency;

  beforeEach(() => {
    waiting = inHand = most = looks = 0;
    finish = [];
    concurrency = new JobConcurrency(2, async () => {
      looks += 1;
      if (waiting === 0) return false;
      waiting -= 1;
      inHand += 1;
      most = Math.max(most, inHand);
      await new Promise<void>((resolve) => finish.push(resolve));
      inHand -= 1;
      return true;
    });
  });

  const finishAll = async () => {
    for (; finish.length > 0; await settled()) finish.splice(0).forEach((end) => end());
  };

  it('never runs more jobs than its limit, whether it is woken or asked', async () => {
    waiting = 7;
    concurrency.wakeAll();
    const asked = [concurrency.work(), concurrency.work(), concurrency.work()];
    await settled();
    expect([inHand, concurrency.hasFree]).toEqual([2, false]);
    await finishAll();
    await Promise.all([...asked, concurrency.rest()]);
    expect([waiting, most, concurrency.hasFree]).toEqual([0, 2, true]);
  });

  it('looks again for jobs that came while it was busy', async () => {
    waiting = 2;
    concurrency.wakeAll();
    await settled();
    const looksBefore = looks;
    const late = concurrency.work();
    await finishAll();
    await late;
    // Each of the two looks once more, and so does the late call.
    expect(looks - looksBefore).toBe(3);
  });

  it('has free capacity after a failure, and ignores a failure after a wake-up', async () => {
    const broken = new JobConcurrency(1, () => Promise.reject(new Error('the database is away')));
    await expect(broken.work()).rejects.toThrow('away');
    broken.wakeAll();
    await broken.rest();
    expect(broken.hasFree).toBe(true);
  });
});
