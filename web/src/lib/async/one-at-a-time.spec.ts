import { describe, expect, it } from 'vitest';
import { oneAtATime } from './one-at-a-time.js';

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('oneAtATime', () => {
  it('never runs twice at once, and runs once more for all calls meanwhile', async () => {
    const ends: (() => void)[] = [];
    const call = oneAtATime(() => new Promise<void>((resolve) => ends.push(resolve)));
    call();
    call();
    call();
    await settled();
    expect(ends).toHaveLength(1);
    ends[0]!();
    await settled();
    expect(ends).toHaveLength(2);
    ends[1]!();
    await settled();
    expect(ends).toHaveLength(2);
    call();
    expect(ends).toHaveLength(3);
  });

  it('survives work that fails, and leaves no unhandled rejection', async () => {
    const rejections: unknown[] = [];
    const note = (reason: unknown) => rejections.push(reason);
    process.on('unhandledRejection', note);
    let count = 0;
    const call = oneAtATime(() => {
      count += 1;
      return Promise.reject(new Error('away'));
    });
    call();
    await settled();
    call();
    await settled();
    process.off('unhandledRejection', note);
    expect(count).toBe(2);
    expect(rejections).toEqual([]);
  });
});
