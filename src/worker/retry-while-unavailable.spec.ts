import { describe, expect, it } from 'vitest';
import { retryWhileDatabaseUnavailable } from './retry-while-unavailable.js';

const databaseError = (code: string): Error => Object.assign(new Error(`SQLSTATE ${code}`), { code });

/** Work that fails once. */
function failingOnce(code: string): () => Promise<string> {
  let tries = 0;
  return async () => {
    tries += 1;
    if (tries === 1) throw databaseError(code);
    return `done at try ${tries}`;
  };
}

describe('retryWhileDatabaseUnavailable', () => {
  it('repeats what other transactions prevented, and what an unavailable database did not do', async () => {
    const codes = ['57014', '55P03', '40P01', '40001', 'ECONNREFUSED'];
    const { signal } = new AbortController();
    const done = codes.map((code) => retryWhileDatabaseUnavailable(signal, failingOnce(code)));
    expect(await Promise.all(done)).toEqual(codes.map(() => 'done at try 2'));
  });

  it('does not repeat an invalid statement', async () => {
    const { signal } = new AbortController();
    await expect(retryWhileDatabaseUnavailable(signal, failingOnce('23505'))).rejects.toMatchObject({
      code: '23505',
    });
  });
});
