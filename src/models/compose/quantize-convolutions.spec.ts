import { InferenceSession, Tensor } from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import type { GraphWriter, Value } from './graph-writer.js';
import { tinyModel } from '../testing/tiny-models.js';
import { convolutionsOf } from './convolutions.js';
import { modelHead } from '../onnx/model-head.js';
import { quantizedConvolutions, rangeNames, type ValueRange, withRanges } from './quantize-convolutions.js';

const free = ['N', 3, 'H', 'W'] as const;

/** From −0.25 to 0.25, the same every time. */
const noise = (count: number, seed: number): number[] =>
  Array.from({ length: count }, (_, at) => ((((at + seed) * 7919) % 1000) / 1000 - 0.5) * 0.5);

/** Two convolutions with a bias and a ReLU between them. */
const network = (g: GraphWriter, x: Value): Value => {
  const conv = (input: Value, from: number, to: number, seed: number): Value =>
    g.op(
      'Conv',
      [
        input,
        g.constant(noise(to * from * 9, seed), 'float32', [to, from, 3, 3]),
        g.constant(noise(to, seed)),
      ],
      { kernel_shape: [3, 3], pads: [1, 1, 1, 1] },
    );
  return conv(g.op('Relu', [conv(x, 3, 8, 1)]), 8, 3, 5);
};

const MODEL = tinyModel({ dims: free, body: network });
const PICTURE = Float32Array.from({ length: 3 * 12 * 12 }, (_, at) => ((at * 37) % 101) / 100);

async function run(model: Uint8Array): Promise<Record<string, Tensor>> {
  const session = await InferenceSession.create(model, { logSeverityLevel: 3 });
  const outputs = await session.run({ x: new Tensor('float32', PICTURE, [1, 3, 12, 12]) });
  await session.release();
  return outputs;
}

async function rangesOf(model: Uint8Array): Promise<ReadonlyMap<string, ValueRange>> {
  const values = convolutionsOf(model).map(({ input }) => input);
  const outputs = await run(withRanges(model, values));
  return new Map(
    values.map((name, index) => {
      const [least, largest] = rangeNames(index).map((output) => outputs[output]!.data[0] as number);
      return [name, [least!, largest!]];
    }),
  );
}

describe('quantizedConvolutions', () => {
  it('finds convolutions with their weights, and the ranges of their inputs', async () => {
    const found = convolutionsOf(MODEL);
    expect(found.map(({ weight, bias }) => [weight.dims, bias?.dims])).toEqual([
      [[8, 3, 3, 3], [8]],
      [[3, 8, 3, 3], [3]],
    ]);
    const ranges = [...(await rangesOf(MODEL)).values()];
    expect(ranges[0]).toEqual([0, 1]);
    expect(ranges[1]![0]).toBe(0);
    expect(ranges[1]![1]).toBeGreaterThan(0);
  });

  it('computes nearly the same with 8-bit integers, under the same names', async () => {
    const { model, count } = quantizedConvolutions(MODEL, await rangesOf(MODEL));
    expect(count).toBe(2);
    const { operators, inputs, outputs } = modelHead(model);
    expect(operators).toEqual(expect.arrayContaining(['Conv', 'DequantizeLinear', 'QuantizeLinear']));
    expect([inputs, outputs]).toEqual([modelHead(MODEL).inputs, modelHead(MODEL).outputs]);
    const [exact, integer] = [(await run(MODEL))['y']!, (await run(model))['y']!];
    const differences = Array.from(exact.data as Float32Array, (value, at) =>
      Math.abs(value - (integer.data as Float32Array)[at]!),
    );
    const largest = Math.max(...differences);
    expect(largest).toBeGreaterThan(0);
    expect(largest).toBeLessThan(0.05);
  });

  it('removes weights that the file also declares as inputs', async () => {
    const declared = tinyModel({
      dims: free,
      body: (g, x) => {
        const weights = g.constant(noise(81, 1), 'float32', [3, 3, 3, 3]);
        g.input(weights.name, 'float32', [3, 3, 3, 3]);
        return g.op('Conv', [x, weights], { kernel_shape: [3, 3], pads: [1, 1, 1, 1] });
      },
    });
    const { model, count } = quantizedConvolutions(declared, await rangesOf(declared));
    expect(count).toBe(1);
    expect(modelHead(model).inputs).toEqual(modelHead(declared).inputs);
    expect((await run(model))['y']!.dims).toEqual([1, 3, 12, 12]);
  });

  it('does not change convolutions whose range is unknown', () => {
    const { model, count } = quantizedConvolutions(MODEL, new Map());
    expect(count).toBe(0);
    expect(Buffer.from(model)).toEqual(Buffer.from(MODEL));
  });
});
