import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GraphWriter, Value } from '../../../src/models/compose/graph-writer.js';
import { tinyModel } from '../../../src/models/testing/tiny-models.js';
import {
  DenoiseVersions,
  FREE,
  INPUT,
  OUTPUT,
  refusal,
  same,
} from '../../support/models/denoise-versions.js';

let versions: DenoiseVersions;
beforeAll(async () => {
  versions = await DenoiseVersions.open();
});
afterAll(() => versions.remove());

describe('checkVersion refuses graphs that fail at run time', () => {
  it('an operator the runtime lacks', async () => {
    const model = { dims: FREE, body: (g: GraphWriter, x: Value): Value => g.op('Sharpen', [x]) };
    expect(await refusal(await versions.make(model))).toMatch(
      /m\.onnx of stage clean needs the operator .*Sharpen.*, which the runtime does not have; export the model without it/,
    );
  });

  it('weights that are NaN', async () => {
    const model = {
      dims: FREE,
      body: (g: GraphWriter, x: Value): Value => g.op('Mul', [x, g.constant(NaN)]),
    };
    expect(await refusal(await versions.make(model))).toMatch(
      /gives numbers that are not finite \(NaN or infinite\)/,
    );
  });

  it('infinite numbers for some pixels only', async () => {
    const model = {
      dims: FREE,
      body: (g: GraphWriter, x: Value): Value => g.op('Div', [g.constant(1), x]),
    };
    expect(await refusal(await versions.make(model))).toContain('not finite');
  });

  /** NaN where the surroundings are nearly black or nearly white. */
  const rare =
    (content: string) =>
    (g: GraphWriter, x: Value): Value => {
      const around = g.op('AveragePool', [x], { kernel_shape: [31, 31], pads: [15, 15, 15, 15] });
      const left =
        content === 'white'
          ? g.op('Sub', [g.constant(0.97), around])
          : g.op('Sub', [around, g.constant(0.03)]);
      return g.op('Add', [x, g.op('Mul', [g.op('Sqrt', [left]), g.constant(0)])]);
    };

  it.each([
    ['black', 1],
    ['white', 1],
    ['black', 2],
    ['white', 2],
    ['white', 4],
  ])('NaN for %s pictures only, with maxBatch %i', async (content, maxBatch) => {
    const folder = await versions.make({ dims: FREE, body: rare(content) }, { maxBatch });
    expect(await refusal(folder)).toContain('gives numbers that are not finite');
  });

  it('a graph that needs 100 GB', async () => {
    const huge = (g: GraphWriter, x: Value): Value => {
      const shape = g.constant([1, 3, 92_000, 92_000], 'int64');
      const large = g.op('Expand', [g.op('ReduceMax', [x], { keepdims: 1 }), shape]);
      return g.op('Add', [x, g.op('ReduceMax', [large], { keepdims: 1 })]);
    };
    const message = await refusal(await versions.make({ dims: FREE, body: huge }));
    expect(message).toMatch(
      /the stage clean .*memory.*; choose a smaller tile, size or maxBatch, or raise MODEL_CHECK_MEMORY_BYTES/,
    );
  });

  it('files larger than the limit, before they are loaded', async () => {
    const message = await refusal(await versions.make({ dims: FREE, body: same }), { memoryLimitBytes: 100 });
    expect(message).toMatch(
      /the files of stage clean have \d+ bytes, twice that is more than the check allows/,
    );
  });

  it('a graph that never ends', async () => {
    const folder = await versions.make({ dims: FREE, body: same });
    expect(await refusal(folder, { stepTimeoutMs: 5 })).toContain('it takes longer than 0.005 seconds');
  });
});

describe('checkVersion refuses graphs that differ from the manifest:', () => {
  const half = (g: GraphWriter, x: Value): Value =>
    g.op('AveragePool', [x], { kernel_shape: [2, 2], strides: [2, 2] });
  const mixing = (g: GraphWriter, x: Value): Value =>
    g.op('Add', [x, g.op('ReduceMean', [x], { axes: [0], keepdims: 1 })]);

  it.each([
    [
      'another scale',
      { dims: FREE, outputDims: null, body: half },
      {},
      /with scale 1 it must be 72 × 72; correct scale/,
    ],
    [
      'another name',
      { dims: FREE, body: same },
      { input: { ...INPUT, name: 'X' } },
      /no input X, it has x float32\[N,3,H,W\]; correct input\.name/,
    ],
    [
      'another output',
      { dims: FREE, body: same },
      { output: { ...OUTPUT, name: 'z' } },
      /no output z, it has y float32\[N,3,H,W\]; correct output\.name/,
    ],
    [
      'another type',
      { dims: FREE, body: same },
      { input: { ...INPUT, dtype: 'float16' } },
      /is float32, the manifest says float16; correct input\.dtype/,
    ],
    ['another rank', { dims: ['N', 3], body: same }, {}, /has 2 axes and is not an image/],
    [
      'other channels',
      { dims: FREE, body: same },
      { input: { ...INPUT, channels: 'Y' } },
      /has 3 channels in NCHW, the manifest says 1/,
    ],
    [
      'another layout',
      { dims: ['N', 'H', 'W', 3], body: same },
      {},
      /has a width of 3 in NCHW; correct input\.layout/,
    ],
    [
      'one fixed size',
      { dims: [1, 3, 48, 48], body: same },
      {},
      /takes 48 × 48 alone; say \{"mode": "fixed", "height": 48, "width": 48\}/,
    ],
    [
      'items that see each other',
      { dims: FREE, opset: 17, body: mixing },
      {},
      /another result in a batch of 2 than alone; set its maxBatch to 1/,
    ],
    [
      'no adapter',
      { dims: FREE, body: same },
      { input: undefined, output: undefined },
      /takes x float32\[N,3,H,W\], not the input image uint8 \[N,H,W,3 or 4\]/,
    ],
  ] as const)('%s', async (_, model, changes, expected) => {
    expect(await refusal(await versions.make(model, changes))).toMatch(expected);
  });

  it('another layout, if all axes are free', async () => {
    const weights = Array.from({ length: 9 }, () => 0.1);
    const model = {
      dims: ['N', 'A', 'B', 'C'],
      body: (g: GraphWriter, x: Value): Value =>
        g.op('Conv', [x, g.constant(weights, 'float32', [3, 3, 1, 1])], { kernel_shape: [1, 1] }),
    } as const;
    const layout = { input: { ...INPUT, layout: 'NHWC' }, output: { ...OUTPUT, layout: 'NHWC' } };
    expect(await refusal(await versions.make(model, layout))).toMatch(
      /correct input\.layout or input\.channels/,
    );
  });

  it('two inputs', async () => {
    const model = tinyModel({
      dims: FREE,
      body: (g, x) => g.op('Mul', [x, g.input('sigma', 'float32', [1])]),
    });
    expect(await refusal(await versions.make(model))).toMatch(
      /also needs sigma float32\[1\], which nothing provides/,
    );
  });
});
