import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { atMostEvery } from './at-most-every.js';

describe('atMostEvery', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('runs the work at once, and once more for all calls that came too early', async () => {
    const work = vi.fn<() => Promise<void>>().mockResolvedValue();
    const call = atMostEvery(5_000, work);
    for (let count = 0; count < 10; count += 1) call();
    expect(work).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(4_999);
    expect(work).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(work).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(work).toHaveBeenCalledTimes(2);
    call();
    expect(work).toHaveBeenCalledTimes(3);
  });

  it('keeps the interval after work that fails', async () => {
    const work = vi.fn<() => Promise<void>>().mockRejectedValue(new Error('away'));
    const call = atMostEvery(5_000, work);
    call();
    call();
    await vi.advanceTimersByTimeAsync(4_999);
    expect(work).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(work).toHaveBeenCalledTimes(2);
  });

  it('repeats work that fails', async () => {
    const work = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new Error('away')).mockResolvedValue();
    atMostEvery(5_000, work, () => true)();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(work).toHaveBeenCalledTimes(2);
  });
});
