import { describe, expect, it } from 'vitest';
import type { RenderStageRef } from '../manifest/model-route.js';
import { trialInputs, trialsOf, trialText } from './trial.js';

const STAGE = { kind: 'render', tile: 192, halo: 8, maxBatch: 4 } as RenderStageRef;
const FIXED = { input: { size: { mode: 'fixed' } } } as NonNullable<RenderStageRef['adapter']>;

/** What the check runs for a stage: each trial, after one item of it alone. */
const runs = (stage: RenderStageRef): readonly string[] => [
  ...new Set(trialsOf(stage).flatMap((trial) => [trialText({ ...trial, batch: 1 }), trialText(trial)])),
];

describe('the trials of a stage', () => {
  it('have each pair of size, channels and batch, and the largest input', () => {
    const shapes = runs(STAGE).map((text) => text.split('×').map(Number));
    const pairs = (one: number, other: number): readonly string[] =>
      [...new Set(shapes.map((shape) => `${shape[one]} ${shape[other]}`))].toSorted();
    expect(pairs(1, 3)).toEqual(['112 3', '112 4', '208 3', '208 4']);
    expect(pairs(1, 0)).toEqual(['112 1', '112 4', '208 1', '208 4']);
    expect(pairs(3, 0)).toEqual(['3 1', '3 4', '4 1', '4 4']);
    expect(runs(STAGE)).toContain('4×208×208×4');
    expect(runs(STAGE)).toHaveLength(6);
  });

  it('have the largest batch with 3 and 4 channels if there is one size only', () => {
    expect(runs({ ...STAGE, adapter: FIXED })).toEqual([
      '1×208×208×3',
      '4×208×208×3',
      '1×208×208×4',
      '4×208×208×4',
    ]);
  });

  it('show the same pattern first in every batch, then black, white and another pattern', () => {
    const edge = 30;
    const size = edge * edge * 3;
    const image = (batch: number): Uint8Array =>
      trialInputs({ batch, edge, channels: 3 }, {})['image']!.data as Uint8Array;
    const [alone, batch] = [image(1), image(4)];
    expect(alone).toEqual(
      Uint8Array.from({ length: size }, (_, at) => {
        const row = Math.floor(at / (edge * 3));
        return (row + (at % (edge * 3)) / 4 + ((at * 7) % 23)) & 255;
      }),
    );
    expect(batch.subarray(0, size)).toEqual(alone);
    expect(new Set(batch.subarray(size, 2 * size))).toEqual(new Set([0]));
    expect(new Set(batch.subarray(2 * size, 3 * size))).toEqual(new Set([255]));
    expect(batch.subarray(3 * size)).not.toEqual(alone);
  });
});
