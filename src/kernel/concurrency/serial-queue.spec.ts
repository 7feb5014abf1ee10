import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { SerialQueue } from './serial-queue.js';

describe('SerialQueue', () => {
  let queue: SerialQueue;
  let done: string[];
  const task = (name: string) => async () => {
    await nextTurn();
    done.push(name);
  };

  beforeEach(() => {
    queue = new SerialQueue();
    done = [];
  });

  it('runs one task after the other, and idle tasks last', async () => {
    queue.add(task('a'));
    const idle = queue.addWhenIdle(task('idle'));
    queue.add(task('b'));
    await nextTurn();
    queue.add(task('c'));
    await idle;
    expect(done).toEqual(['a', 'b', 'c', 'idle']);
  });

  it('delays a new task by no more than the current idle task', async () => {
    await queue.addWhenIdle(async () => {
      queue.add(task('urgent'));
      await task('first')();
    });
    await queue.addWhenIdle(task('second'));
    expect(done).toEqual(['first', 'urgent', 'second']);
  });

  it('skips idle tasks once it is closed', async () => {
    queue.add(task('a'));
    const idle = queue.addWhenIdle(task('idle'));
    queue.close();
    await idle;
    expect(done).toEqual(['a']);
  });
});
