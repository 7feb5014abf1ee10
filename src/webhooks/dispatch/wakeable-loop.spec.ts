import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { WakeableLoop } from './wakeable-loop.js';

const FOR_EVER = 3_600_000;

describe('WakeableLoop', () => {
  it('takes a turn when it is woken, and one after it when it was woken meanwhile', async () => {
    let running = 0;
    let most = 0;
    let count = 0;
    let release!: () => void;
    const held = new Promise<void>((resolve) => (release = resolve));
    const turns = new WakeableLoop('test', async () => {
      running += 1;
      most = Math.max(most, running);
      count += 1;
      if (count === 1) await held;
      running -= 1;
      return FOR_EVER;
    });
    turns.wake();
    await sleep(20);
    for (let index = 0; index < 5; index += 1) turns.wake();
    release();
    await sleep(50);
    await turns.end();
    expect([count, most]).toEqual([2, 1]);
  });

  it('comes back by itself after the pause that a turn asks for', async () => {
    let count = 0;
    const turns = new WakeableLoop('test', async () => {
      count += 1;
      return count < 4 ? 1 : FOR_EVER;
    });
    turns.wake();
    await sleep(200);
    await turns.end();
    expect(count).toBe(4);
  });

  it('wakes at the earliest moment that somebody asked for', async () => {
    let count = 0;
    const turns = new WakeableLoop('test', async () => {
      count += 1;
      return FOR_EVER;
    });
    turns.wake(FOR_EVER);
    turns.wake(5);
    turns.wake(FOR_EVER);
    await sleep(100);
    await turns.end();
    expect(count).toBe(1);
  });

  it('waits for the turn that runs when it ends, and takes none after it', async () => {
    let ended = 0;
    const turns = new WakeableLoop('test', async () => {
      await sleep(50);
      ended += 1;
      return 0;
    });
    turns.wake();
    await sleep(10);
    await turns.end();
    expect(ended).toBe(1);
    turns.wake();
    await sleep(80);
    expect(ended).toBe(1);
  });
});
