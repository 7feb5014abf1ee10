import { beforeEach, describe, expect, it } from 'vitest';
import { FairScheduler } from './fair-scheduler.js';

/** One item takes 10 ms. */
const ITEM_MS = 10;

describe('FairScheduler', () => {
  let scheduler: FairScheduler;
  const begin = (items: number, owner: string, stage = 'stage') => scheduler.begin(stage, items, owner);
  const dueOf = (items: number, owner: string): number =>
    scheduler.dueMs(begin(items, owner)) - scheduler.nowMs;

  beforeEach(() => {
    scheduler = new FairScheduler();
    scheduler.ran('stage', 2, 2 * ITEM_MS);
  });

  it('queues the jobs of one owner behind each other, and those of other owners beside them', () => {
    expect([1, 2, 3].map((items) => dueOf(items, 'a'))).toEqual([10, 30, 60]);
    expect(dueOf(1, 'b')).toBe(10);
  });

  it('lets a small job of another owner overtake large ones, however long those have run', () => {
    const large = ['a', 'b', 'c'].map((owner) => begin(1000, owner));
    // Each has a third of the device, which has worked as long as one of them takes alone.
    for (let run = 0; run < 1000; run++) scheduler.ran('stage', 1, ITEM_MS);
    const small = scheduler.dueMs(begin(1, 'd'));
    for (const reservation of large) expect(small).toBeLessThan(scheduler.dueMs(reservation));
  });

  it('does not let small jobs that keep coming starve a large one', () => {
    const large = scheduler.dueMs(begin(100, 'a'));
    let overtook = 0;
    for (; overtook < 1000; overtook++) {
      const small = begin(1, 'b');
      if (scheduler.dueMs(small) > large) break;
      scheduler.ran('stage', 1, ITEM_MS);
      scheduler.end(small);
    }
    // Two owners share the device, so the large job takes about twice its time.
    expect(overtook).toBeGreaterThan(100);
    expect(overtook).toBeLessThan(300);
  });

  it('does not charge an owner for jobs that have ended, complete or not', () => {
    scheduler.end(begin(1000, 'a'));
    expect(dueOf(1, 'a')).toBe(ITEM_MS);
  });

  it('learns the time of a stage from its first run, also for jobs that already wait', () => {
    const [large, small] = [begin(100, 'a', 'new'), begin(1, 'b', 'new')];
    expect(scheduler.dueMs(large)).toBe(scheduler.dueMs(small));
    scheduler.ran('new', 1, ITEM_MS);
    expect(scheduler.dueMs(large)).toBeGreaterThan(scheduler.dueMs(small));
  });

  it('tracks the time of a stage, and weighs each item equally', () => {
    for (let run = 0; run < 50; run++) scheduler.ran('stage', 4, 120);
    const many = dueOf(1, 'a');
    expect(many).toBeCloseTo(30, 1);
    scheduler.ran('stage', 1, 130);
    expect(dueOf(1, 'b') - many).toBeCloseTo(20, 1);
  });
});
