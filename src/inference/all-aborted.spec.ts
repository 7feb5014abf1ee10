import { describe, expect, it } from 'vitest';
import { allAborted } from './all-aborted.js';

describe('allAborted', () => {
  it('aborts with the last of them, and not before', () => {
    const [one, other] = [new AbortController(), new AbortController()];
    const { signal } = allAborted([one.signal, other.signal, one.signal]);
    one.abort(new Error('first'));
    expect(signal?.aborted).toBe(false);
    other.abort(new Error('second'));
    expect(signal).toMatchObject({ aborted: true, reason: new Error('second') });
  });

  it('is aborted from the start when all are', () => {
    expect(allAborted([AbortSignal.abort(), AbortSignal.abort()]).signal?.aborted).toBe(true);
  });

  it('does not exist where somebody cannot abort', () => {
    expect(allAborted([AbortSignal.abort(), undefined]).signal).toBeUndefined();
  });

  it('follows nobody after its release', () => {
    const one = new AbortController();
    const { signal, release } = allAborted([one.signal]);
    release();
    one.abort();
    expect(signal?.aborted).toBe(false);
  });
});
