import { describe, expect, it } from 'vitest';
import { uint8Tensor } from '../tensor.js';
import { runBatch } from './run-batch.js';

const outputs = (value: number) => ({ image: uint8Tensor([1], Uint8Array.of(value)) });

describe('runBatch', () => {
  it('runs the batch once when it succeeds', async () => {
    const batches: number[][] = [];
    const outcomes = await runBatch<number>(
      async (items) => {
        batches.push([...items]);
        return items.map(outputs);
      },
      [1, 2, 3],
    );
    expect(batches).toEqual([[1, 2, 3]]);
    expect(outcomes).toEqual([1, 2, 3].map((value) => ({ ok: true, tensors: outputs(value) })));
  });

  it('runs each item alone after a failure, so that only the bad one fails', async () => {
    const outcomes = await runBatch<number>(
      async (items) => {
        if (items.includes(2)) throw new Error('two is bad');
        return items.map(outputs);
      },
      [1, 2, 3],
    );
    expect(outcomes).toEqual([
      { ok: true, tensors: outputs(1) },
      { ok: false, message: 'two is bad' },
      { ok: true, tensors: outputs(3) },
    ]);
  });

  it('does not run a single item twice', async () => {
    let runs = 0;
    const outcomes = await runBatch<number>(async () => {
      runs++;
      throw 'a text that is no Error';
    }, [1]);
    expect(runs).toBe(1);
    expect(outcomes).toEqual([{ ok: false, message: 'a text that is no Error' }]);
  });
});
