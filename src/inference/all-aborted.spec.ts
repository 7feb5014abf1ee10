import { describe, expect, it } from 'vitest';
import { allAborted } from './all-aborted.js';

describe('allAborted', () => {
  it('aborts when the last of its signals aborts, not before', () => {
    const [one, other] = [new AbortController(), new AbortController()];
    const { signal } = allAborted([one.signal, other.signal, one.signal]);
    one.abort(new Error('first'));
    expect(signal?.aborted).toBe(false);
    other.abort(new Error('second'));
    expect(signal).toMatchObject({ aborted: true, reason: new Error('second') });
  });

  it('is aborted from the start if all its signals are', () => {
    expect(allAborted([AbortSignal.abort(), AbortSignal.abort()]).signal?.aborted).toBe(true);
  });

  it('returns no signal if one of them is undefined', () => {
    expect(allAborted([AbortSignal.abort(), undefined]).signal).toBeUndefined();
  });

  it('ignores its signals after its release', () => {
    const one = new AbortController();
    const { signal, release } = allAborted([one.signal]);
    release();
    one.abort();
    expect(signal?.aborted).toBe(false);
  });
});
