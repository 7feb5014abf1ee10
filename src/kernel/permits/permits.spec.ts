import { describe, expect, it } from 'vitest';
import { Permits } from './permits.js';

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A task that ends on request, and its progress so far. */
function controlled() {
  const started: string[] = [];
  const end = new Map<string, (error?: Error) => void>();
  const work = (name: string) => () => {
    started.push(name);
    return new Promise<string>((resolve, reject) =>
      end.set(name, (error) => (error === undefined ? resolve(name) : reject(error))),
    );
  };
  return { started, end, work };
}

describe('Permits', () => {
  it('runs as many tasks at once as there are permits, and the rest in order of arrival', async () => {
    const { started, end, work } = controlled();
    const permits = new Permits(2);
    const runs = ['a', 'b', 'c', 'd'].map((name) => permits.run(work(name)));
    await settled();
    expect(started).toEqual(['a', 'b']);
    expect([permits.available, permits.waiting]).toEqual([0, 2]);

    end.get('b')!();
    await settled();
    expect(started).toEqual(['a', 'b', 'c']);
    end.get('c')!();
    await settled();
    end.get('a')!();
    end.get('d')!();
    expect(await Promise.all(runs)).toEqual(['a', 'b', 'c', 'd']);
    expect([permits.available, permits.waiting]).toEqual([2, 0]);
  });

  it('hands a freed permit to the waiting task, not to a new one', async () => {
    const { started, end, work } = controlled();
    const permits = new Permits(1);
    void permits.run(work('first'));
    void permits.run(work('waits'));
    end.get('first')!();
    void permits.run(work('comes'));
    await settled();
    expect(started).toEqual(['first', 'waits']);
  });

  it('returns the permit when the work fails', async () => {
    const { started, end, work } = controlled();
    const permits = new Permits(1);
    const failing = permits.run(work('fails'));
    const next = permits.run(work('next'));
    end.get('fails')!(new Error('no'));
    await expect(failing).rejects.toThrow('no');
    await settled();
    expect(started).toEqual(['fails', 'next']);
    end.get('next')!();
    await next;
    expect(permits.available).toBe(1);
  });
});
