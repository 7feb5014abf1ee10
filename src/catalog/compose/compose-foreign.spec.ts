import { InferenceSession, Tensor } from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import type { Adapter, InputAdapter, OutputAdapter } from '../adapter.js';
import { branchingModel } from '../testing/branching-model.js';
import { type TinyModel, tinyModel } from '../testing/tiny-models.js';
import { composeAnalyse, composeRender } from './compose-foreign.js';
import { phaseKernels } from './enlarge.js';
import { foreignModel } from './foreign-model.js';
import type { GraphWriter, Value } from './graph-writer.js';

const free = ['N', 3, 'H', 'W'] as const;
const same = (_: GraphWriter, x: Value): Value => x;

const input = (changes: Partial<InputAdapter> = {}): InputAdapter => ({
  name: 'x',
  layout: 'NCHW',
  dtype: 'float32',
  channels: 'RGB',
  range: [0, 1],
  size: { mode: 'any' },
  ...changes,
});

const output = (changes: Partial<OutputAdapter> = {}): OutputAdapter => ({
  name: 'y',
  layout: 'NCHW',
  dtype: 'float32',
  meaning: 'image',
  channels: 'RGB',
  range: [0, 1],
  ...changes,
});

const alpha = (changes: Partial<OutputAdapter> = {}): OutputAdapter => {
  const { channels: _, ...rest } = output({ meaning: 'alpha', ...changes });
  return rest;
};

/** Every value differs from its neighbours, and alpha from the colours. */
function picture(batch: number, height: number, width: number, channels: number): Tensor {
  const size = batch * height * width * channels;
  const data = Uint8Array.from({ length: size }, (_, at) => (at * 37 + (at >> 6) * 11) & 255);
  return new Tensor('uint8', data, [batch, height, width, channels]);
}

async function run(graph: Uint8Array, image: Tensor, strength?: readonly number[]): Promise<Tensor> {
  const session = await InferenceSession.create(graph, { logSeverityLevel: 3 });
  const feeds: Record<string, Tensor> = { image };
  if (session.inputNames.includes('strength'))
    feeds['strength'] = new Tensor('float32', Float32Array.from(strength ?? [1]), [strength?.length ?? 1]);
  const outputs = await session.run(feeds);
  await session.release();
  return outputs[session.outputNames[0]!]!;
}

const render = (model: TinyModel, adapter: Adapter, scale = 1): Uint8Array =>
  composeRender(foreignModel(tinyModel(model)), adapter, scale);

const bytes = (tensor: Tensor): number[] => [...(tensor.data as Uint8Array)];

describe('a foreign graph that changes nothing gives the very same pixels back', () => {
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

describe('what a foreign graph changes arrives where it should', () => {
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

  it('in the right units: a residual of 0.1 in −1 to 1 is an eighth of the bytes', async () => {
    const tenth = (g: GraphWriter, x: Value): Value =>
      g.op('Add', [g.op('Mul', [x, g.constant(0)]), g.constant(0.1)]);
    const graph = render(
      { dims: free, body: tenth },
      { input: input(), output: output({ meaning: 'residual', range: [-1, 1] }) },
    );
    const grey = new Tensor('uint8', new Uint8Array(12).fill(100), [1, 2, 2, 3]);
    expect(bytes(await run(graph, grey))).toEqual(Array.from({ length: 12 }, () => 113));
  });

  it('with the strength of each item, where the manifest asks for it', async () => {
    const black = (g: GraphWriter, x: Value): Value => g.op('Mul', [x, g.constant(0)]);
    const graph = render(
      { dims: free, body: black },
      { input: input(), output: output({ strength: 'blend' }) },
    );
    const grey = new Tensor('uint8', new Uint8Array(24).fill(200), [2, 2, 2, 3]);
    const result = bytes(await run(graph, grey, [0.25, 1]));
    expect(result.slice(0, 12)).toEqual(Array.from({ length: 12 }, () => 150));
    expect(result.slice(12)).toEqual(Array.from({ length: 12 }, () => 0));
  });

  it('as tanh and as sigmoid', async () => {
    const zero = (g: GraphWriter, x: Value): Value => g.op('Mul', [x, g.constant(0)]);
    const half = (activation: 'tanh' | 'sigmoid', range: readonly [number, number]): Uint8Array =>
      render({ dims: free, body: zero }, { input: input(), output: output({ activation, range }) });
    const image = picture(1, 2, 2, 3);
    expect(new Set(bytes(await run(half('tanh', [-1, 1]), image)))).toEqual(new Set([128]));
    expect(new Set(bytes(await run(half('sigmoid', [0, 1]), image)))).toEqual(new Set([128]));
  });
});

describe('enlarging', () => {
  const double = (g: GraphWriter, x: Value): Value => {
    const scales = g.constant([1, 1, 2, 2]);
    const none = g.constant([], 'float32');
    return g.op('Resize', [x, none, scales], {
      mode: 'nearest',
      coordinate_transformation_mode: 'asymmetric',
      nearest_mode: 'floor',
    });
  };

  it('gives an image twice as large with its alpha enlarged by half-pixel centres', async () => {
    const graph = render(
      { dims: free, body: double },
      { input: input(), output: output({ base: 'bilinear' }) },
      2,
    );
    const image = picture(1, 5, 6, 4);
    const result = await run(graph, image);
    expect(result.dims).toEqual([1, 10, 12, 4]);
    const [large, small] = [bytes(result), bytes(image)];
    const at = (data: number[], width: number, y: number, x: number, channel: number): number =>
      data[(y * width + x) * 4 + channel]!;
    expect(at(large, 12, 4, 7, 1)).toBe(at(small, 6, 2, 3, 1));
    // Output (2, 3) lies at source (0.75, 1.25).
    const between = (y: number): number => 0.75 * at(small, 6, y, 1, 3) + 0.25 * at(small, 6, y, 2, 3);
    expect(Math.abs(at(large, 12, 2, 3, 3) - (0.25 * between(0) + 0.75 * between(1)))).toBeLessThanOrEqual(
      0.51,
    );
  });

  it('of a luminance model carries the chroma along', async () => {
    const graph = render(
      { dims: ['N', 1, 'H', 'W'], body: double },
      { input: input({ channels: 'Y' }), output: output({ channels: 'Y' }) },
      2,
    );
    const red = new Tensor(
      'uint8',
      Uint8Array.from({ length: 48 }, (_, at) => [200, 40, 90][at % 3]!),
      [1, 4, 4, 3],
    );
    const result = bytes(await run(graph, red));
    expect(result).toEqual(Array.from({ length: 192 }, (_, at) => [200, 40, 90][at % 3]!));
  });

  it.each([2, 3, 4] as const)('has weights that sum to one at every place, ×%i', (scale) => {
    for (const kind of ['nearest', 'bilinear', 'bicubic'] as const) {
      const kernels = phaseKernels(scale, kind);
      for (let phase = 0; phase < scale * scale; phase++) {
        const sum = kernels.slice(phase * 25, phase * 25 + 25).reduce((a, b) => a + b, 0);
        expect(sum).toBeCloseTo(1, 9);
      }
    }
  });
});

describe('alpha', () => {
  const plane = ['N', 1, 'H', 'W'] as const;

  it('multiplies into the alpha of a tile, as logits by a sigmoid', async () => {
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

  it.each([11, 13, 17, 18, 21])('becomes a map of the size of the stage, opset %i', async (opset) => {
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
  });

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

describe('composing', () => {
  it('is deterministic', () => {
    const made = (): Uint8Array =>
      render({ dims: free, body: same }, { input: input(), output: output({ strength: 'blend' }) });
    expect(Buffer.compare(made(), made())).toBe(0);
  });

  it('renames what stands in the bodies of control flow', async () => {
    // A Scan would do as well; If is the smallest operator with a body that reads names from outside.

    const model = foreignModel(branchingModel());
    const graph = composeRender(model, { input: input(), output: output() }, 1);
    const image = picture(1, 4, 4, 3);
    expect(bytes(await run(graph, image))).toEqual(bytes(image));
  });

  it('refuses an opset that is too old, and what is no model', () => {
    expect(() => foreignModel(tinyModel({ opset: 10, dims: free, body: same }))).toThrow(
      /opset 10, an adapter needs 11 or newer/,
    );
    expect(() => foreignModel(Buffer.from('not a model at all, but some text'))).toThrow(/not an ONNX model/);
    const whole = tinyModel({ dims: free, body: same });
    expect(() => foreignModel(whole.subarray(0, whole.length - 7))).toThrow(/cut off/);
  });
});
