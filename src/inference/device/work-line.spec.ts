import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { WorkLine } from './work-line.js';

describe('WorkLine', () => {
  let line: WorkLine;
  let done: string[];
  const task = (name: string) => async () => {
    await nextTurn();
    done.push(name);
  };

  beforeEach(() => {
    line = new WorkLine();
    done = [];
  });

  it('runs one after the other, and what can wait last', async () => {
    line.add(task('a'));
    const idle = line.addWhenIdle(task('idle'));
    line.add(task('b'));
    await nextTurn();
    line.add(task('c'));
    await idle;
    expect(done).toEqual(['a', 'b', 'c', 'idle']);
  });

  it('makes what comes wait for no more than the task in hand', async () => {
    await line.addWhenIdle(async () => {
      line.add(task('urgent'));
      await task('first')();
    });
    await line.addWhenIdle(task('second'));
    expect(done).toEqual(['first', 'urgent', 'second']);
  });

  it('leaves out what can wait once it is closed', async () => {
    line.add(task('a'));
    const idle = line.addWhenIdle(task('idle'));
    line.close();
    await idle;
    expect(done).toEqual(['a']);
  });
});
