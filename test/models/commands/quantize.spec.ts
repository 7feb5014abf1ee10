import { createHash } from 'node:crypto';
import { lstat, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GraphWriter, Value } from '../../../src/models/compose/graph-writer.js';
import { tinyModel, writeVersion } from '../../../src/models/testing/tiny-models.js';
import { type CommandOutcome, runModelsCommand } from '../../support/models/models-command.js';
import { type ModelsDir, temporaryModels } from '../../support/models/models-dir.js';

const free = ['N', 3, 'H', 'W'] as const;
const input = {
  name: 'x',
  layout: 'NCHW',
  dtype: 'float32',
  channels: 'RGB',
  range: [0, 1],
  size: { mode: 'any' },
};
const output = {
  name: 'y',
  layout: 'NCHW',
  dtype: 'float32',
  meaning: 'image',
  channels: 'RGB',
  range: [0, 1],
};

/** Repeated pixels plus a little of what two convolutions with pseudorandom weights return. */
function network(channels: number) {
  return (g: GraphWriter, x: Value): Value => {
    const conv = (from: Value, read: number, made: number): Value => {
      const weights = Array.from(
        { length: made * read * 9 },
        (_, at) => (((at * 7919) % 1000) / 1000 - 0.5) * 0.1,
      );
      return g.op('Conv', [from, g.constant(weights, 'float32', [made, read, 3, 3])], {
        kernel_shape: [3, 3],
        pads: [1, 1, 1, 1],
      });
    };
    const hidden = g.op('Relu', [conv(g.op('Relu', [conv(x, 3, channels)]), channels, channels)]);
    const detail = g.op('Mul', [conv(hidden, channels, 12), g.constant(0.05)]);
    const repeated = g.op('Concat', [x, x, x, x], { axis: 1 });
    return g.op('DepthToSpace', [g.op('Add', [repeated, detail])], { blocksize: 2, mode: 'DCR' });
  };
}

describe('npm run models -- quantize', () => {
  let models: ModelsDir;
  const upscaler = (version: number, channels: number, opset = 17): Promise<string> =>
    writeVersion({
      modelsDir: models.path,
      operation: 'upscale',
      version,
      files: { 'm.onnx': tinyModel({ opset, dims: free, outputDims: null, body: network(channels) }) },
      stages: { x2: { kind: 'render', file: 'm.onnx', tile: 64, halo: 8, scale: 2, input, output } },
    });
  beforeAll(async () => {
    models = await temporaryModels();
    await upscaler(1, 32);
    await upscaler(2, 4);
    await upscaler(3, 32, 12);
    await linked(10, await upscaler(9, 32));
  });
  afterAll(() => models.remove());

  /** Adds a version that is a link to a folder with a link to its graph, as tools for data versioning make them. */
  async function linked(version: number, folder: string): Promise<void> {
    const home = join(models.path, '.store');
    await mkdir(join(home, 'data'), { recursive: true });
    await rename(join(folder, 'manifest.json'), join(home, 'manifest.json'));
    await rename(join(folder, 'm.onnx'), join(home, 'data/m.onnx'));
    await rm(folder, { recursive: true });
    await symlink('data/m.onnx', join(home, 'm.onnx'));
    await symlink('../.store', join(models.path, 'upscale', String(version)));
  }

  const quantize = (name: string): Promise<CommandOutcome> =>
    runModelsCommand(['quantize', name, '--json'], models.path);

  it('installs the next version with a compared and checked 8-bit file', async () => {
    const { code, json, stdout } = await quantize('upscale@1');
    expect(code, stdout).toBe(0);
    const { folder, stages } = json as { folder: string; stages: { lostDb: number; faster: number }[] };
    expect(json).toMatchObject({
      version: 11,
      notes: ['version: 11 is made of 1, and also replaces the versions in between.'],
      stages: [{ stage: 'x2', file: 'm.int8.onnx', convolutions: 3 }],
    });
    expect(stages[0]!.lostDb).toBeLessThanOrEqual(0.1);
    expect(stages[0]!.faster).toBeGreaterThan(0);
    const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as {
      stages: { x2: { int8: { file: string; sha256: string } } };
    };
    const bytes = await readFile(join(folder, 'm.int8.onnx'));
    expect(manifest.stages.x2.int8.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
    // A quantized version has nothing left to quantize.
    expect(await quantize('upscale@11')).toMatchObject({
      code: 1,
      json: { error: expect.stringMatching(/no stage/) },
    });
  });

  it('copies a version that is made of links', async () => {
    const { code, stdout } = await runModelsCommand(['quantize', 'upscale@10'], models.path);
    expect(code, stdout).toBe(0);
    expect(stdout).toMatch(/^A running service gives this version to all customers now, unless/m);
    const folder = /^Installed: (.*)$/m.exec(stdout)![1]!;
    expect((await lstat(folder)).isDirectory()).toBe(true);
    expect((await lstat(join(folder, 'm.onnx'))).isFile()).toBe(true);
  });

  it.each([
    ['a network that is too small', 'upscale@2', 1, /has 684 weights in convolutions/],
    ['an opset without scales for each channel', 'upscale@3', 1, /opset 12.*Export it again/],
    ['a version that is not there', 'upscale@9', 1, /^There is no version 9 of upscale in .*; it has /],
    ['what is no version', 'upscale', 2, /named as upscale@1/],
  ])('refuses %s', async (_, name, code, text) => {
    const outcome = await quantize(name);
    expect(outcome.code).toBe(code);
    expect((outcome.json as { error: string }).error).toMatch(text);
  });
});
