import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { inParallel } from './in-parallel.js';

describe('inParallel', () => {
  it('processes every item, never more than the limit at once', async () => {
    const done: number[] = [];
    let running = 0;
    let most = 0;
    await inParallel([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
      most = Math.max(most, (running += 1));
      await nextTurn();
      running -= 1;
      done.push(item);
    });
    expect(new Set(done)).toEqual(new Set([1, 2, 3, 4, 5, 6, 7]));
    expect(most).toBe(3);
  });

  it('starts nothing after a failure, waits for running work, and throws the first failure', async () => {
    const ended: number[] = [];
    const working = inParallel([1, 2, 3, 4], 2, async (item) => {
      if (item === 1) throw new Error('the first');
      await nextTurn();
      ended.push(item);
      throw new Error('a later one');
    });
    await expect(working).rejects.toThrow('the first');
    expect(ended).toEqual([2]);
  });

  it('does nothing without items', async () => {
    await expect(inParallel([], 4, () => Promise.reject(new Error('none')))).resolves.toBeUndefined();
  });
});
