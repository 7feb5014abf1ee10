import { describe, expect, it } from 'vitest';
import { PeriodicTask } from './periodic-task.js';

describe('PeriodicTask', () => {
  it('runs again after a failed run, and reports the error', async () => {
    const errors: unknown[] = [];
    let runs = 0;
    const task = new PeriodicTask(
      1,
      async () => {
        runs += 1;
        if (runs === 1) throw new Error('first');
      },
      (error) => errors.push(error),
    );
    task.begin();
    await expect.poll(() => runs).toBeGreaterThan(2);
    await task.end();
    expect(errors).toEqual([new Error('first')]);
  });

  it('ends by aborting and awaiting the current run, and never runs again', async () => {
    let runs = 0;
    let isRunning = false;
    const task = new PeriodicTask(
      1,
      async (signal) => {
        runs += 1;
        isRunning = true;
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        isRunning = false;
      },
      (error) => {
        throw error;
      },
    );
    task.begin();
    await expect.poll(() => isRunning).toBe(true);
    await task.end();
    expect([isRunning, runs]).toEqual([false, 1]);
    task.begin();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(runs).toBe(1);
  });
});
