import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { WakeableLoop } from './wakeable-loop.js';

const FOR_EVER = 3_600_000;
const onError = (error: unknown): never => {
  throw error;
};

describe('WakeableLoop', () => {
  it('runs a turn when it is woken, and one more if it is woken during that turn', async () => {
    let running = 0;
    let most = 0;
    let count = 0;
    let release!: () => void;
    const held = new Promise<void>((resolve) => (release = resolve));
    const loop = new WakeableLoop(async () => {
      running += 1;
      most = Math.max(most, running);
      count += 1;
      if (count === 1) await held;
      running -= 1;
      return FOR_EVER;
    }, onError);
    loop.wake();
    await sleep(20);
    for (let index = 0; index < 5; index += 1) loop.wake();
    release();
    await sleep(50);
    await loop.end();
    expect([count, most]).toEqual([2, 1]);
  });

  it('runs again after the pause that a turn returns', async () => {
    let count = 0;
    const loop = new WakeableLoop(async () => {
      count += 1;
      return count < 4 ? 1 : FOR_EVER;
    }, onError);
    loop.wake();
    await sleep(200);
    await loop.end();
    expect(count).toBe(4);
  });

  it('wakes at the earliest requested time', async () => {
    let count = 0;
    const loop = new WakeableLoop(async () => {
      count += 1;
      return FOR_EVER;
    }, onError);
    loop.wake(FOR_EVER);
    loop.wake(5);
    loop.wake(FOR_EVER);
    await sleep(100);
    await loop.end();
    expect(count).toBe(1);
  });

  it('awaits the current turn when it ends, and runs none afterward', async () => {
    let ended = 0;
    const loop = new WakeableLoop(async () => {
      await sleep(50);
      ended += 1;
      return 0;
    }, onError);
    loop.wake();
    await sleep(10);
    await loop.end();
    expect(ended).toBe(1);
    loop.wake();
    await sleep(80);
    expect(ended).toBe(1);
  });

  it('reports an error and runs again', async () => {
    const errors: unknown[] = [];
    let count = 0;
    const loop = new WakeableLoop(
      async () => {
        count += 1;
        if (count === 1) throw new Error('first');
        return FOR_EVER;
      },
      (error) => errors.push(error),
    );
    loop.wake();
    await expect.poll(() => errors).toEqual([new Error('first')]);
    loop.wake();
    await expect.poll(() => count).toBe(2);
    await loop.end();
  });
});
