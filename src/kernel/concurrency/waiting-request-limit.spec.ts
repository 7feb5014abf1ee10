import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WaitingRequestLimit } from './waiting-request-limit.js';

const WAIT_MS = 1_000;
const REFUSED = new Error('refused');
const refusal = (): Error => REFUSED;

describe('WaitingRequestLimit', () => {
  let limit: WaitingRequestLimit;
  beforeEach(() => {
    vi.useFakeTimers();
    limit = new WaitingRequestLimit(4, 2, WAIT_MS);
  });
  afterEach(() => void vi.useRealTimers());

  it('refuses after the wait, and leaves the places of others to them', async () => {
    await limit.take('a', 2, refusal);
    const outcome = limit.take('a', 1, refusal).catch((error: unknown) => error);
    await limit.take('b', 2, refusal);
    await vi.advanceTimersByTimeAsync(WAIT_MS);
    expect(await outcome).toBe(REFUSED);
    expect([limit.isWithinShare('a', 1), limit.isWithinShare('c', 2)]).toEqual([false, true]);
  });

  it('takes places that others release, each once', async () => {
    const release = await limit.take('a', 2, refusal);
    const taken: string[] = [];
    for (const name of ['first', 'second', 'third'])
      void limit.take('a', 1, refusal).then(
        () => taken.push(name),
        () => taken.push('refused'),
      );
    release();
    release();
    await vi.advanceTimersByTimeAsync(0);
    expect(taken).toEqual(['first', 'second']);
    await vi.advanceTimersByTimeAsync(WAIT_MS);
    expect(taken).toEqual(['first', 'second', 'refused']);
  });

  it('ends a wait whose client is gone, and one that has not begun', async () => {
    const release = await limit.take('a', 2, refusal);
    const gone = new AbortController();
    const waiting = limit.take('a', 1, refusal, gone.signal);
    gone.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    await expect(limit.take('b', 1, refusal, gone.signal)).rejects.toThrow('gone');
    release();
    await limit.take('a', 2, refusal);
    expect(vi.getTimerCount()).toBe(0);
  });
});
