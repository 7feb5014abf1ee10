import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { channelsLast } from '../../src/models/compose/channels-last.js';
import { GraphWriter, type Value } from '../../src/models/compose/graph-writer.js';
import { SWIFTSHADER, whyNoWebgpu } from '../support/models/gpu-render.js';

const reason = whyNoWebgpu();
const LIMIT_MS = 120_000;
const DIMS = [2, 4, 9, 11];
const SCRIPT = join(import.meta.dirname, '../support/models/run-graphs.mjs');

/** From −0.5 to 0.5, the same every time. */
const noise = (count: number, seed: number): number[] =>
  Array.from({ length: count }, (_, at) => (((at + seed) * 7919) % 1000) / 1000 - 0.5);

type Attributes = Parameters<GraphWriter['op']>[2];

const conv = (
  g: GraphWriter,
  x: Value,
  [to, from, height, width]: readonly [number, number, number, number],
  attributes?: Attributes,
): Value =>
  g.op(
    'Conv',
    [
      x,
      g.constant(noise(to * from * height * width, to), 'float32', [to, from, height, width]),
      g.constant(noise(to, from)),
    ],
    attributes,
  );
const padded = { pads: [1, 1, 1, 1] };

const NETWORKS: Readonly<Record<string, (g: GraphWriter, x: Value) => Value>> = {
  'automatic padding and strides': (g, x) =>
    conv(g, x, [6, 4, 3, 3], { auto_pad: 'SAME_UPPER', strides: [2, 2] }),
  'a kernel that is not square and uneven padding': (g, x) =>
    conv(g, x, [6, 4, 3, 2], { pads: [1, 0, 2, 1] }),
  dilations: (g, x) =>
    conv(g, x, [6, 4, 3, 3], { pads: [2, 2, 2, 2], dilations: [2, 2], kernel_shape: [3, 3], group: 1 }),
  'a residual block and a concatenation of channels': (g, x) => {
    const first = g.op('Relu', [conv(g, x, [8, 4, 3, 3], padded)]);
    const second = conv(g, g.op('Relu', [conv(g, first, [8, 8, 3, 3], padded)]), [8, 8, 3, 3], padded);
    return conv(g, g.op('Concat', [g.op('Add', [first, second]), first], { axis: 1 }), [6, 16, 3, 3], padded);
  },
  'pooling between convolutions': (g, x) =>
    conv(
      g,
      g.op('MaxPool', [conv(g, x, [8, 4, 3, 3], padded)], { kernel_shape: [2, 2], strides: [2, 2] }),
      [6, 8, 1, 1],
    ),
};

interface Output {
  readonly dims: readonly number[];
  readonly values: readonly number[];
}

/** WebGPU has the same operators for [N,H,W,C] as CUDA. */
describe.skipIf(reason !== undefined)(
  `graphs with convolutions on [N,H,W,C], on WebGPU without a GPU${reason === undefined ? '' : ` (skipped: ${reason})`}`,
  { timeout: LIMIT_MS },
  () => {
    const names = Object.keys(NETWORKS);
    let folder: string;
    let expected: readonly Output[];
    let outputs: readonly Output[];

    const run = async (device: string, models: readonly Uint8Array[]): Promise<readonly Output[]> => {
      const graphs = models.map((_, index) => join(folder, `${device}-${index}.onnx`));
      await Promise.all(graphs.map((path, index) => writeFile(path, models[index]!)));
      const [order, result] = [join(folder, `${device}.json`), join(folder, `${device}-result.json`)];
      const values = noise(
        DIMS.reduce((a, b) => a * b),
        9,
      );
      await writeFile(order, JSON.stringify({ device, graphs, dims: DIMS, values, result }));
      await promisify(execFile)(process.execPath, [SCRIPT, order], {
        env: { ...process.env, VK_ICD_FILENAMES: SWIFTSHADER, XDG_RUNTIME_DIR: folder },
        timeout: LIMIT_MS,
      });
      return JSON.parse(await readFile(result, 'utf8')) as readonly Output[];
    };

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'ies-nhwc-'));
      const models = Object.values(NETWORKS).map((body) => {
        const g = new GraphWriter(17);
        g.output(body(g, g.input('x', 'float32', DIMS)), 'y', 'float32', null);
        return g.model(8);
      });
      const changed = models.map((model) => channelsLast(model, 'float32'));
      expect(changed.map(({ count }) => count)).toEqual([1, 1, 1, 4, 2]);
      expected = await run('cpu', models);
      outputs = await run(
        'webgpu',
        changed.map(({ model }) => model),
      );
    }, LIMIT_MS);
    afterAll(() => rm(folder, { recursive: true, force: true }));

    it.each(names)('compute the same with %s', (name) => {
      const index = names.indexOf(name);
      expect(outputs[index]!.dims).toEqual(expected[index]!.dims);
      const differences = outputs[index]!.values.map((value, at) =>
        Math.abs(value - expected[index]!.values[at]!),
      );
      expect(Math.max(...differences)).toBeLessThan(1e-4);
    });
  },
);
