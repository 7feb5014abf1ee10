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

  it('never hold more jobs than there are hands, woken and asked together', async () => {
    waiting = 7;
    concurrency.wakeAll();
    const asked = [concurrency.work(), concurrency.work(), concurrency.work()];
    await settled();
    expect([inHand, concurrency.hasFree]).toEqual([2, false]);
    await finishAll();
    await Promise.all([...asked, concurrency.rest()]);
    expect([waiting, most, concurrency.hasFree]).toEqual([0, 2, true]);
  });

  it('look again for who came while they were busy', async () => {
    waiting = 2;
    concurrency.wakeAll();
    await settled();
    const looksBefore = looks;
    const late = concurrency.work();
    await finishAll();
    await late;
    // Each of the two once more, and the late one.
    expect(looks - looksBefore).toBe(3);
  });

  it('are free again after a failure, and a woken one harms nobody', async () => {
    const broken = new JobConcurrency(1, () => Promise.reject(new Error('the database is away')));
    await expect(broken.work()).rejects.toThrow('away');
    broken.wakeAll();
    await broken.rest();
    expect(broken.hasFree).toBe(true);
  });
});
