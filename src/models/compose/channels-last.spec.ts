import { describe, expect, it } from 'vitest';
import { tinyModel } from '../testing/tiny-models.js';
import { decodedHead, type NodeHead } from '../onnx/onnx-proto.js';
import { modelHead } from '../onnx/model-head.js';
import { channelsLast } from './channels-last.js';
import type { GraphWriter, Value } from './graph-writer.js';

const ONES = Array.from({ length: 16 }, () => 1);
const free = ['N', 4, 'H', 'W'] as const;
const conv = (
  g: GraphWriter,
  x: Value,
  { group = 1, bias = true }: { readonly group?: number; readonly bias?: boolean } = {},
): Value => {
  const weights = g.constant(
    Array.from({ length: (4 * 4) / group }, () => group),
    'float32',
    [4, 4 / group, 1, 1],
  );
  return g.op('Conv', [x, weights, ...(bias ? [g.constant([1, 2, 3, 4])] : [])], { group });
};

const made = (body: (g: GraphWriter, x: Value) => Value): ReturnType<typeof channelsLast> =>
  channelsLast(tinyModel({ dims: free, body }), 'float32');

const nodesOf = (model: Uint8Array): readonly NodeHead[] =>
  (decodedHead(model)['graph'] as { readonly node: readonly NodeHead[] }).node;

const operators = (model: Uint8Array): readonly string[] => nodesOf(model).map(({ opType }) => opType);

describe('channelsLast', () => {
  it('transposes before and after a convolution and adds the bias between', () => {
    const { model, count } = made((g, x) => conv(g, x));
    expect(count).toBe(1);
    expect(operators(model)).toEqual(['Transpose', 'Conv', 'Add', 'Transpose', 'Identity']);
    expect(modelHead(model).operators).toContain('com.ms.internal.nhwc.Conv');
    const [before, product, sum, after, identity] = nodesOf(model);
    expect(product!.input[0]).toEqual(before!.output[0]);
    expect(product!.input).toHaveLength(2);
    expect(sum!.input[0]).toEqual(product!.output[0]);
    expect(after!.input).toEqual(sum!.output);
    expect(identity!.input).toEqual(after!.output);
  });

  it('adds nothing for a convolution without a bias', () => {
    const { model } = made((g, x) => conv(g, x, { bias: false }));
    expect(operators(model)).toEqual(['Transpose', 'Conv', 'Transpose', 'Identity']);
  });

  it('transposes a value once, however many convolutions use it', () => {
    const { model, count } = made((g, x) => g.op('Mul', [conv(g, x), conv(g, x, { bias: false })]));
    expect(count).toBe(2);
    expect(operators(model).filter((name) => name === 'Transpose')).toHaveLength(3);
  });

  it('keeps the inputs, the outputs, and the version of the operators', () => {
    const [plain, { model }] = [
      tinyModel({ opset: 13, dims: free, body: (g, x) => conv(g, x) }),
      channelsLast(tinyModel({ opset: 13, dims: free, body: (g, x) => conv(g, x) }), 'float32'),
    ];
    const { inputs, outputs, opset } = modelHead(plain);
    expect(modelHead(model)).toMatchObject({ inputs, outputs, opset });
    expect(decodedHead(model)['opsetImport']).toEqual([
      { domain: '', version: 13 },
      { domain: 'com.ms.internal.nhwc', version: 13 },
    ]);
  });

  it.each([
    ['with groups', (g: GraphWriter, x: Value) => conv(g, x, { group: 2 })],
    [
      'with computed weights',
      (g: GraphWriter, x: Value) =>
        g.op('Conv', [x, g.op('Relu', [g.constant(ONES, 'float32', [4, 4, 1, 1])])]),
    ],
    [
      'with a computed bias',
      (g: GraphWriter, x: Value) =>
        g.op('Conv', [
          x,
          g.constant(ONES, 'float32', [4, 4, 1, 1]),
          g.op('Relu', [g.constant([1, 2, 3, 4])]),
        ]),
    ],
  ])('does not change a convolution %s', (_, body) => {
    const { model, count } = made(body);
    expect(count).toBe(0);
    expect(Buffer.from(model)).toEqual(Buffer.from(tinyModel({ dims: free, body })));
  });

  it('does not change convolutions of another type', () => {
    const plain = tinyModel({ dims: free, body: (g, x) => conv(g, x) });
    expect(channelsLast(plain)).toEqual({ model: plain, count: 0 });
  });
});
