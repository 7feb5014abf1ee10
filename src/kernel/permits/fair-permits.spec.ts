import { setImmediate as settled } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { FairPermits } from './fair-permits.js';

/** Work that reports its start and ends on request. */
function rehearsal(total: number, perHolder: number) {
  const permits = new FairPermits(total, perHolder);
  const begun: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const run = (holder: string, name: string): Promise<string> =>
    permits.run(holder, () => {
      begun.push(name);
      return new Promise((resolve, reject) => {
        ends.set(name, (error) => (error === undefined ? resolve(name) : reject(error)));
      });
    });
  const end = async (name: string, error?: Error): Promise<void> => {
    ends.get(name)!(error);
    await settled();
  };
  return { permits, begun, run, end };
}

describe('FairPermits', () => {
  it('leaves permits to others when one holder has many tasks', async () => {
    const { permits, begun, run, end } = rehearsal(4, 2);
    const all = ['a1', 'a2', 'a3'].map((name) => run('a', name));
    expect([begun, permits.waiting]).toEqual([['a1', 'a2'], 1]);
    all.push(run('b', 'b1'));
    expect([begun, permits.waiting]).toEqual([['a1', 'a2', 'b1'], 1]);
    await end('a2');
    expect([begun, permits.waiting]).toEqual([['a1', 'a2', 'b1', 'a3'], 0]);
    for (const name of ['a1', 'a3', 'b1']) await end(name);
    expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1']);
  });

  it('grants waiting holders their turns, and passes over those that have their share', async () => {
    const { begun, run, end } = rehearsal(2, 1);
    for (const [holder, name] of [
      ['a', 'a1'],
      ['b', 'b1'],
      ['a', 'a2'],
      ['a', 'a3'],
      ['b', 'b2'],
      ['c', 'c1'],
    ] as const)
      void run(holder, name);
    expect(begun).toEqual(['a1', 'b1']);
    await end('b1');
    expect(begun.slice(2)).toEqual(['b2']);
    await end('a1');
    await end('b2');
    expect(begun.slice(3)).toEqual(['a2', 'c1']);
    await end('a2');
    expect(begun.slice(5)).toEqual(['a3']);
  });

  it('counts as a turn what ran without a wait: the holder that waits first is next', async () => {
    const { begun, run, end } = rehearsal(1, 1);
    for (const [holder, name] of [
      ['a', 'a1'],
      ['b', 'b1'],
      ['a', 'a2'],
    ] as const)
      void run(holder, name);
    await end('a1');
    expect(begun).toEqual(['a1', 'b1']);
    await end('b1');
    expect(begun).toEqual(['a1', 'b1', 'a2']);
  });

  it('frees the permit of failed work', async () => {
    const { begun, run, end } = rehearsal(1, 1);
    const failed = run('a', 'a1').catch((error: unknown) => error);
    const next = run('a', 'a2');
    await end('a1', new Error('no'));
    await end('a2');
    expect(await failed).toEqual(new Error('no'));
    expect([await next, begun]).toEqual(['a2', ['a1', 'a2']]);
    expect(await Promise.all([run('b', 'b1'), end('b1')])).toContain('b1');
  });
});
