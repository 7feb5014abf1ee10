import { describe, expect, it } from 'vitest';
import { inParallel } from './in-parallel.js';

describe('inParallel', () => {
  it('processes everything in order, a few items at a time', async () => {
    let running = 0;
    let most = 0;
    const begun: number[] = [];
    await inParallel([1, 2, 3, 4, 5], 2, async (item) => {
      begun.push(item);
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 1));
      running -= 1;
    });
    expect(begun).toEqual([1, 2, 3, 4, 5]);
    expect(most).toBe(2);
  });

  it('starts nothing after a failure, and waits for what had started', async () => {
    const ended: number[] = [];
    const run = inParallel([1, 2, 3], 2, async (item) => {
      if (item === 1) throw new Error('no');
      await new Promise((resolve) => setTimeout(resolve, 5));
      ended.push(item);
    });
    await expect(run).rejects.toThrow('no');
    expect(ended).toEqual([2]);
  });
});
