import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Graph } from './engine.js';
import { runsInt8Faster } from './int8-probe.js';

/** Times of the runs of a graph in ms; the last one repeats. */
type Times = readonly number[];

/** Measures two graphs that take these times. @returns the verdict, and the number of runs of each */
async function measured(single: Times, integer: Times): Promise<{ isFaster: boolean; runs: number[] }> {
  const runs = [0, 0];
  const graphs = [single, integer].map((times, index): Graph => ({
    inputNames: ['x'],
    outputNames: ['y'],
    run: async () => {
      await sleep(times[Math.min(runs[index]!++, times.length - 1)]);
      return {};
    },
    release: async () => undefined,
  }));
  const isFaster = await runsInt8Faster(async () => graphs.shift()!);
  return { isFaster, runs };
}

describe('runsInt8Faster', () => {
  it('decides in five runs when integers are clearly faster', async () => {
    expect(await measured([20], [4])).toEqual({ isFaster: true, runs: [5, 5] });
  });

  it('does not judge by the runs that other processes slow down', async () => {
    const { isFaster, runs } = await measured([20], [40, 40, 40, 40, 40, 40, 4]);
    expect(isFaster).toBe(true);
    expect(runs[1]).toBeGreaterThan(6);
    expect(runs[1]).toBeLessThan(17);
  });

  it('stays with single precision when integers are not faster', async () => {
    expect(await measured([4], [20])).toEqual({ isFaster: false, runs: [17, 17] });
  });
});
