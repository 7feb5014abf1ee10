import { afterEach, describe, expect, it, vi } from 'vitest';
import { oneAtATime } from './one-at-a-time.js';

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('oneAtATime', () => {
  afterEach(() => void vi.useRealTimers());

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

  it('repeats work that fails less and less often, until it succeeds', async () => {
    vi.useFakeTimers();
    let isAway = true;
    const work = vi.fn<() => Promise<void>>(async () => {
      if (isAway) throw new Error('away');
    });
    oneAtATime(work, () => true)();
    const runsAfter = async (ms: number) => {
      await vi.advanceTimersByTimeAsync(ms);
      return work.mock.calls.length;
    };
    expect(await runsAfter(1_999)).toBe(1);
    expect(await runsAfter(1)).toBe(2);
    expect(await runsAfter(3_999)).toBe(2);
    expect(await runsAfter(1)).toBe(3);
    expect(await runsAfter(600_000)).toBeGreaterThan(10);
    const failed = work.mock.calls.length;
    isAway = false;
    expect(await runsAfter(60_000)).toBe(failed + 1);
    expect(await runsAfter(600_000)).toBe(failed + 1);
  });

  it('repeats nothing that cannot succeed, nor anything that a call has done since', async () => {
    vi.useFakeTimers();
    const work = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new Error('away')).mockResolvedValue();
    const call = oneAtATime(work, () => true);
    call();
    await vi.advanceTimersByTimeAsync(1_000);
    call();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(work).toHaveBeenCalledTimes(2);
    const refused = vi.fn<() => Promise<void>>().mockRejectedValue(new Error('refused'));
    oneAtATime(refused, () => false)();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(refused).toHaveBeenCalledTimes(1);
  });
});
