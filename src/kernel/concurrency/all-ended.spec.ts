import { describe, expect, it } from 'vitest';
import { allEnded } from './all-ended.js';

describe('allEnded', () => {
  it('returns both results in order', async () => {
    expect(await allEnded(Promise.resolve(1), Promise.resolve('two'))).toEqual([1, 'two']);
  });

  it('rejects with the first failure in order, once both have ended', async () => {
    let end = (): void => undefined;
    let hasEnded = false;
    const ending = new Promise<void>((resolve) => {
      end = resolve;
    });
    const slow = async (): Promise<void> => {
      await ending;
      hasEnded = true;
    };
    const all = allEnded(slow(), Promise.reject(new Error('failed')));
    setImmediate(end);
    await expect(all).rejects.toThrow('failed');
    expect(hasEnded).toBe(true);
  });
});
