import { describe, expect, it } from 'vitest';
import { alpha, bytes, free, input, picture, render, run } from '../testing/foreign-graphs.js';
import { tinyModel } from '../testing/tiny-models.js';
import { composeAnalyse } from './compose-foreign.js';
import { foreignModel } from './foreign-model.js';
import type { GraphWriter, Value } from './graph-writer.js';

describe('alpha', () => {
  const plane = ['N', 1, 'H', 'W'] as const;

  it('is multiplied into the alpha of a tile, and logits pass through a sigmoid', async () => {
    const zero = (g: GraphWriter, x: Value): Value =>
      g.op('Mul', [g.op('Slice', [x, ...[0, 1, 1].map((v) => g.constant([v], 'int64'))]), g.constant(0)]);
    const graph = render(
      { dims: free, outputDims: plane, body: zero },
      { input: input(), output: alpha({ meaning: 'logits' }) },
    );
    const image = picture(1, 3, 3, 4);
    const result = await run(graph, image);
    const expected = bytes(image).map((value, at) => (at % 4 === 3 ? value / 2 : value));
    bytes(result).forEach((value, at) => expect(Math.abs(value - expected[at]!)).toBeLessThanOrEqual(0.5));
    expect((await run(graph, picture(1, 3, 3, 3))).dims).toEqual([1, 3, 3, 4]);
  });

  it.each([11, 13, 17, 18, 21])(
    'becomes a map of the size that the stage states, opset %i',
    async (opset) => {
      const red = (g: GraphWriter, x: Value): Value =>
        g.op('AveragePool', [g.op('Slice', [x, ...[0, 1, 1].map((v) => g.constant([v], 'int64'))])], {
          kernel_shape: [2, 2],
          strides: [2, 2],
        });
      for (const activation of ['none', 'minmax', 'softmax'] as const) {
        const model = foreignModel(tinyModel({ opset, dims: free, outputDims: plane, body: red }));
        const adapter = {
          input: input({ size: { mode: 'fixed', height: 64, width: 48 }, resize: 'stretch' }),
          output: alpha({ activation }),
        } as const;
        const map = await run(composeAnalyse(model, adapter, 32, 'alpha'), picture(2, 32, 32, 3));
        expect(map.dims).toEqual([2, 1, 32, 32]);
        const values = [...(map.data as Float32Array)];
        expect(Math.min(...values)).toBeGreaterThanOrEqual(0);
        expect(Math.max(...values)).toBeLessThanOrEqual(1);
        if (activation === 'softmax') expect(new Set(values)).toEqual(new Set([1]));
        if (activation === 'minmax') expect(Math.max(...values)).toBeGreaterThan(0.95);
      }
    },
  );

  it('is taken from the channel that the manifest names', async () => {
    const two = (g: GraphWriter, x: Value): Value => {
      const one = g.op('Slice', [x, ...[0, 1, 1].map((v) => g.constant([v], 'int64'))]);
      const nothing = g.op('Mul', [one, g.constant(0)]);
      return g.op('Concat', [nothing, g.op('Add', [nothing, g.constant(3)])], { axis: 1 });
    };
    const model = foreignModel(tinyModel({ dims: free, outputDims: ['N', 2, 'H', 'W'], body: two }));
    const values = async (channel: number): Promise<number> => {
      const adapter = { input: input(), output: alpha({ activation: 'softmax', channel }) };
      return (await run(composeAnalyse(model, adapter, 16, 'alpha'), picture(1, 16, 16, 3)))
        .data[0] as number;
    };
    expect(await values(1)).toBeCloseTo(1 / (1 + Math.exp(-3)), 5);
    expect(await values(0)).toBeCloseTo(1 - 1 / (1 + Math.exp(-3)), 5);
  });
});
