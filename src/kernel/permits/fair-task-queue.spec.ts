import { describe, expect, it } from 'vitest';
import { FairTaskQueue } from './fair-task-queue.js';

describe('FairTaskQueue', () => {
  /** A task that reports its start and ends on request. */
  function rehearsal(total: number, perAccount: number) {
    const queue = new FairTaskQueue(total, perAccount);
    const begun: string[] = [];
    const ends = new Map<string, (error?: Error) => void>();
    const take = (account: string, name: string): Promise<string> =>
      queue.take(account, () => {
        begun.push(name);
        return new Promise((resolve, reject) => {
          ends.set(name, (error) => (error === undefined ? resolve(name) : reject(error)));
        });
      });
    return { begun, take, end: (name: string, error?: Error) => ends.get(name)!(error) };
  }

  it('runs one task at a time, and takes turns among accounts', async () => {
    const { begun, take, end } = rehearsal(10, 5);
    const all = [take('many', 'a'), take('many', 'b'), take('many', 'c'), take('one', 'x'), take('two', 'y')];
    for (const [at, name] of ['a', 'b', 'x', 'y', 'c'].entries()) {
      await expect.poll(() => begun[at]).toBe(name);
      expect(begun).toHaveLength(at + 1);
      end(name);
    }
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'x', 'y']);
  });

  it('continues after a failed task', async () => {
    const { begun, take, end } = rehearsal(10, 5);
    const failed = take('one', 'a').catch((error: Error) => error.message);
    const next = take('one', 'b');
    end('a', new Error('on purpose'));
    expect(await failed).toBe('on purpose');
    await expect.poll(() => begun).toEqual(['a', 'b']);
    end('b');
    expect(await next).toBe('b');
  });

  it('limits the waiting tasks of one account, so that others can still wait', async () => {
    const { begun, take, end } = rehearsal(3, 2);
    const [a, b] = [take('many', 'a'), take('many', 'b')];
    const refused = { code: 'service_unavailable', retryAfterSeconds: 5 };
    await expect(take('many', 'c')).rejects.toMatchObject(refused);
    const x = take('one', 'x');
    await expect(take('two', 'y')).rejects.toMatchObject(refused);
    end('a');
    await a;
    await expect.poll(() => begun).toContain('b');
    const again = take('many', 'c');
    end('b');
    await expect.poll(() => begun).toContain('x');
    end('x');
    await expect.poll(() => begun).toContain('c');
    end('c');
    expect(await Promise.all([b, x, again])).toEqual(['b', 'x', 'c']);
  });
});
