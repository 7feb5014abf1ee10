import { Tensor } from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import type { Adapter } from '../manifest/adapter.js';
import { branchingModel } from '../testing/branching-model.js';
import { bytes, free, input, output, picture, render, run, same } from '../testing/foreign-graphs.js';
import { type TinyModel, tinyModel } from '../testing/tiny-models.js';
import { composeRender } from './compose-foreign.js';
import { foreignModel } from './foreign-model.js';
import type { GraphWriter, Value } from './graph-writer.js';

describe('a foreign graph that changes nothing returns the same pixels', () => {
  const nhwc = ['N', 'H', 'W', 3] as const;
  const cases: readonly (readonly [string, TinyModel, Adapter])[] = [
    ['NCHW, 0 to 1', { dims: free, body: same }, { input: input(), output: output() }],
    [
      'NHWC',
      { dims: nhwc, body: same },
      { input: input({ layout: 'NHWC' }), output: output({ layout: 'NHWC' }) },
    ],
    [
      'BGR, −1 to 1',
      { dims: free, body: same },
      {
        input: input({ channels: 'BGR', range: [-1, 1] }),
        output: output({ channels: 'BGR', range: [-1, 1] }),
      },
    ],
    [
      'mean and std undone by the graph',
      {
        dims: free,
        body: (g, x) => {
          const std = g.constant([0.229, 0.224, 0.225], 'float32', [1, 3, 1, 1]);
          const mean = g.constant([0.485, 0.456, 0.406], 'float32', [1, 3, 1, 1]);
          return g.op('Add', [g.op('Mul', [x, std]), mean]);
        },
      },
      { input: input({ mean: [0.485, 0.456, 0.406], std: [0.229, 0.224, 0.225] }), output: output() },
    ],
    [
      'half precision',
      { dims: free, type: 'float16', body: same },
      { input: input({ dtype: 'float16' }), output: output({ dtype: 'float16' }) },
    ],
    [
      'bytes',
      { dims: free, type: 'uint8', body: same },
      {
        input: input({ dtype: 'uint8', range: [0, 255] }),
        output: output({ dtype: 'uint8', range: [0, 255] }),
      },
    ],
    [
      'multiples of 8, padded',
      { dims: free, body: same },
      { input: input({ size: { mode: 'multiple-of', of: 8 }, resize: 'pad' }), output: output() },
    ],
    [
      'a fixed size, padded',
      { dims: [1, 3, 24, 24], body: same },
      { input: input({ size: { mode: 'fixed', height: 24, width: 24 }, resize: 'pad' }), output: output() },
    ],
    [
      'a residual of nothing',
      { dims: free, body: (g, x) => g.op('Mul', [x, g.constant(0)]) },
      { input: input(), output: output({ meaning: 'residual' }) },
    ],
    [
      'luminance alone',
      { dims: ['N', 1, 'H', 'W'], body: same },
      { input: input({ channels: 'Y' }), output: output({ channels: 'Y' }) },
    ],
    [
      'studio luminance alone',
      { dims: ['N', 1, 'H', 'W'], body: same },
      { input: input({ channels: 'Y' }), output: output({ channels: 'Y' }), luma: 'studio' },
    ],
  ];

  it.each(cases)('%s', async (_, model, adapter) => {
    const fixed = adapter.input.size.mode === 'fixed';
    for (const opset of [11, 13, 17, 21]) {
      const graph = render({ ...model, opset }, adapter);
      for (const channels of [3, 4]) {
        const image = picture(fixed ? 1 : 2, 17, 23, channels);
        expect(bytes(await run(graph, image)), `opset ${opset}`).toEqual(bytes(image));
      }
    }
  });
});

describe('a change by a foreign graph arrives', () => {
  it('in the right channel: BGR means blue first', async () => {
    const first = (g: GraphWriter, x: Value): Value =>
      g.op('Mul', [x, g.constant([0, 1, 1], 'float32', [1, 3, 1, 1])]);
    const graph = render(
      { dims: free, body: first },
      { input: input({ channels: 'BGR' }), output: output({ channels: 'BGR' }) },
    );
    const result = await run(graph, picture(1, 4, 4, 3));
    const expected = bytes(picture(1, 4, 4, 3)).map((value, at) => (at % 3 === 2 ? 0 : value));
    expect(bytes(result)).toEqual(expected);
  });

  it('in the right units: a residual of 0.1 in −1 to 1 adds 13 of 255 levels', async () => {
    const tenth = (g: GraphWriter, x: Value): Value =>
      g.op('Add', [g.op('Mul', [x, g.constant(0)]), g.constant(0.1)]);
    const graph = render(
      { dims: free, body: tenth },
      { input: input(), output: output({ meaning: 'residual', range: [-1, 1] }) },
    );
    const gray = new Tensor('uint8', new Uint8Array(12).fill(100), [1, 2, 2, 3]);
    expect(bytes(await run(graph, gray))).toEqual(Array.from({ length: 12 }, () => 113));
  });

  it('with the strength of each item, if the manifest asks for it', async () => {
    const black = (g: GraphWriter, x: Value): Value => g.op('Mul', [x, g.constant(0)]);
    const graph = render(
      { dims: free, body: black },
      { input: input(), output: output({ strength: 'blend' }) },
    );
    const gray = new Tensor('uint8', new Uint8Array(24).fill(200), [2, 2, 2, 3]);
    const result = bytes(await run(graph, gray, [0.25, 1]));
    expect(result.slice(0, 12)).toEqual(Array.from({ length: 12 }, () => 150));
    expect(result.slice(12)).toEqual(Array.from({ length: 12 }, () => 0));
  });

  it('after tanh and sigmoid', async () => {
    const zero = (g: GraphWriter, x: Value): Value => g.op('Mul', [x, g.constant(0)]);
    const half = (activation: 'tanh' | 'sigmoid', range: readonly [number, number]): Uint8Array =>
      render({ dims: free, body: zero }, { input: input(), output: output({ activation, range }) });
    const image = picture(1, 2, 2, 3);
    expect(new Set(bytes(await run(half('tanh', [-1, 1]), image)))).toEqual(new Set([128]));
    expect(new Set(bytes(await run(half('sigmoid', [0, 1]), image)))).toEqual(new Set([128]));
  });
});

describe('composing', () => {
  it('is deterministic', () => {
    const made = (): Uint8Array =>
      render({ dims: free, body: same }, { input: input(), output: output({ strength: 'blend' }) });
    expect(Buffer.compare(made(), made())).toBe(0);
  });

  it('renames values in the bodies of control flow', async () => {
    // If is the smallest operator with a body that reads names from outside; a Scan would do as well.

    const model = foreignModel(branchingModel());
    const graph = composeRender(model, { input: input(), output: output() }, 1);
    const image = picture(1, 4, 4, 3);
    expect(bytes(await run(graph, image))).toEqual(bytes(image));
  });

  it('refuses an opset that is too old, and files that are not a complete model', () => {
    expect(() => foreignModel(tinyModel({ opset: 10, dims: free, body: same }))).toThrow(
      /opset 10, but an adapter needs 11 or newer/,
    );
    expect(() => foreignModel(Buffer.from('not a model at all, but some text'))).toThrow(/not an ONNX model/);
    const whole = tinyModel({ dims: free, body: same });
    expect(() => foreignModel(whole.subarray(0, whole.length - 7))).toThrow(/cut off/);
  });
});
