import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type HeldPlaces, SLOW_AFTER_MS } from './held-places.js';
import { WaitingRequestLimit } from './waiting-request-limit.js';

const WAIT_MS = 1_000;
const REFUSED = new Error('refused');
const request = { refusal: (): Error => REFUSED };

describe('WaitingRequestLimit', () => {
  let limit: WaitingRequestLimit;
  beforeEach(() => {
    vi.useFakeTimers();
    limit = new WaitingRequestLimit(4, 2, WAIT_MS);
  });
  afterEach(() => void vi.useRealTimers());

  it('refuses after the wait, and leaves the places of others to them', async () => {
    await limit.take('a', 2, request);
    const outcome = limit.take('a', 1, request).catch((error: unknown) => error);
    await limit.take('b', 2, request);
    await vi.advanceTimersByTimeAsync(WAIT_MS);
    expect(await outcome).toBe(REFUSED);
    expect([limit.isWithinShare('a', 1), limit.isWithinShare('c', 2)]).toEqual([false, true]);
  });

  it('takes places that others release, each once', async () => {
    const places = await limit.take('a', 2, request);
    const taken: string[] = [];
    for (const name of ['first', 'second', 'third'])
      void limit.take('a', 1, request).then(
        () => taken.push(name),
        () => taken.push('refused'),
      );
    places.release();
    places.release();
    await vi.advanceTimersByTimeAsync(0);
    expect(taken).toEqual(['first', 'second']);
    await vi.advanceTimersByTimeAsync(WAIT_MS);
    expect(taken).toEqual(['first', 'second', 'refused']);
  });

  it('ends a wait whose client is gone, and one that has not begun', async () => {
    const places = await limit.take('a', 2, request);
    const gone = new AbortController();
    const waiting = limit.take('a', 1, { ...request, gone: gone.signal });
    gone.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    await expect(limit.take('b', 1, { ...request, gone: gone.signal })).rejects.toThrow('gone');
    places.release();
    await limit.take('a', 2, request);
    expect(vi.getTimerCount()).toBe(0);
  });

  describe('when a request waits', () => {
    const revoked: string[] = [];
    beforeEach(() => void revoked.splice(0));
    const hold = async (name: string, account: string): Promise<HeldPlaces> =>
      limit.take(account, 1, { ...request, onRevoked: () => revoked.push(name) });

    /** Runs what is due at once. */
    const soon = async (waiting: Promise<unknown>): Promise<void> => {
      await vi.advanceTimersByTimeAsync(1);
      await waiting;
    };

    it('revokes places of slow senders, one for each that waits', async () => {
      for (const account of ['a', 'b']) for (const name of ['1', '2']) await hold(account + name, account);
      await vi.advanceTimersByTimeAsync(SLOW_AFTER_MS);
      expect(revoked).toEqual([]);
      await soon(hold('c', 'c'));
      expect(revoked).toHaveLength(1);
      expect(vi.getTimerCount()).toBe(0);
    });

    it('waits until a sender is slow', async () => {
      for (const account of ['a', 'a', 'b', 'b']) await hold(account, account);
      await vi.advanceTimersByTimeAsync(SLOW_AFTER_MS - WAIT_MS / 2);
      const waiting = hold('c', 'c');
      await vi.advanceTimersByTimeAsync(WAIT_MS / 4);
      expect(revoked).toEqual([]);
      await vi.advanceTimersByTimeAsync(WAIT_MS / 2);
      await waiting;
      expect(revoked).toHaveLength(1);
    });

    it('keeps those that make progress or have arrived, and revokes those of the largest holder first', async () => {
      const steady = await hold('steady', 'a');
      const arrived = await hold('arrived', 'c');
      await hold('b', 'b');
      await hold('a', 'a');
      arrived.arrived();
      for (let passedMs = 0; passedMs < SLOW_AFTER_MS; passedMs += 1_000) {
        steady.progress(1_000);
        await vi.advanceTimersByTimeAsync(1_000);
      }
      await soon(hold('d', 'd'));
      expect(revoked).toEqual(['a']);
      await soon(hold('e', 'e'));
      expect(revoked).toEqual(['a', 'b']);
      const refused = hold('f', 'f').catch((error: unknown) => error);
      await vi.advanceTimersByTimeAsync(WAIT_MS);
      expect(await refused).toBe(REFUSED);
    });

    it('revokes nothing of others for an account that holds its share', async () => {
      await hold('b', 'b');
      await vi.advanceTimersByTimeAsync(SLOW_AFTER_MS);
      await limit.take('a', 2, request);
      const waiting = limit.take('a', 1, request).catch((error: unknown) => error);
      await vi.advanceTimersByTimeAsync(WAIT_MS);
      expect(await waiting).toBe(REFUSED);
      expect(revoked).toEqual([]);
    });
  });
});
