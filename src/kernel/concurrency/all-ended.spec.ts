import { describe, expect, it } from 'vitest';
import { allEnded } from './all-ended.js';

describe('allEnded', () => {
  it('returns all results in order', async () => {
    expect(await allEnded([Promise.resolve(1), Promise.resolve('two')])).toEqual([1, 'two']);
  });

  it('rejects with the first failure in order, once all have ended', async () => {
    let end = (): void => undefined;
    let hasEnded = false;
    const slow = new Promise<void>((resolve) => {
      end = resolve;
    }).then(() => {
      hasEnded = true;
    });
    const all = allEnded([slow, Promise.reject(new Error('failed'))]);
    const outcome = expect(all).rejects.toThrow('failed');
    setImmediate(end);
    await outcome;
    expect(hasEnded).toBe(true);
  });
});
