import { describe, expect, it } from 'vitest';
import { KEPT_BATCHES, LastBatches } from './last-batches.js';

const run = { stageId: 'upscale/3/render', items: 3, size: 4, runMs: 12.345, end: 'done' } as const;

describe('LastBatches', () => {
  it('keeps the newest batches of each operation, newest first', () => {
    const batches = new LastBatches();
    for (let items = 1; items <= KEPT_BATCHES + 2; items += 1) batches.onRun({ ...run, items });
    batches.onRun({ ...run, stageId: 'bg_remove/1/analyse' });
    const { upscale, bg_remove } = batches.all();
    expect(upscale!.map(({ items }) => items)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
    expect(bg_remove).toEqual([
      {
        at: expect.stringMatching(/^\d{4}-.*Z$/) as string,
        version: 1,
        stage: 'analyse',
        items: 3,
        size: 4,
        runMs: 12.3,
      },
    ]);
  });

  it('leaves out hidden versions', () => {
    const batches = new LastBatches();
    batches.onRun(run);
    batches.hide([{ operation: 'upscale', version: 3 }]);
    batches.onRun(run);
    batches.onRun({ ...run, stageId: 'upscale/2/render' });
    batches.onRun({ ...run, stageId: 'bg_remove/3/analyse' });
    expect(batches.all()['upscale']!.map(({ version }) => version)).toEqual([2]);
    expect(batches.all()['bg_remove']).toHaveLength(1);
  });

  it('leaves out failed batches', () => {
    const batches = new LastBatches();
    batches.onRun({ ...run, end: 'failed' });
    batches.onRun({ ...run, end: 'out_of_memory' });
    expect(batches.all()).toEqual({});
  });
});
