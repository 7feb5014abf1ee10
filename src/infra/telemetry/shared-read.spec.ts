import { describe, expect, it } from 'vitest';
import { sharedRead } from './shared-read.js';

describe('sharedRead', () => {
  it('shares one reading among concurrent callers, and reads again afterward', async () => {
    let readings = 0;
    const read = sharedRead(async () => (readings += 1));
    expect(await Promise.all([read(), read(), read()])).toEqual([1, 1, 1]);
    expect(await read()).toBe(2);
  });

  it('returns undefined for a reading that fails', async () => {
    const read = sharedRead(() => Promise.reject(new Error('away')));
    expect(await read()).toBeUndefined();
  });

  it('returns undefined for a reading that hangs', async () => {
    const read = sharedRead(() => new Promise<number>(() => undefined), 10);
    expect(await read()).toBeUndefined();
  });
});
