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

  it('runs one after the other, and what can wait last', async () => {
    queue.add(task('a'));
    const idle = queue.addWhenIdle(task('idle'));
    queue.add(task('b'));
    await nextTurn();
    queue.add(task('c'));
    await idle;
    expect(done).toEqual(['a', 'b', 'c', 'idle']);
  });

  it('makes what comes wait for no more than the task in hand', async () => {
    await queue.addWhenIdle(async () => {
      queue.add(task('urgent'));
      await task('first')();
    });
    await queue.addWhenIdle(task('second'));
    expect(done).toEqual(['first', 'urgent', 'second']);
  });

  it('leaves out what can wait once it is closed', async () => {
    queue.add(task('a'));
    const idle = queue.addWhenIdle(task('idle'));
    queue.close();
    await idle;
    expect(done).toEqual(['a']);
  });
});
