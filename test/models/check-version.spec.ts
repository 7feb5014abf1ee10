import { createHash } from 'node:crypto';
import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkVersion } from '../../src/app/model-check/check-version.js';
import type { VersionVerdict } from '../../src/app/model-check/verdict.js';
import type { GraphWriter, Value } from '../../src/catalog/compose/graph-writer.js';
import { externalModel } from '../../src/catalog/testing/external-model.js';
import { type TinyModel, tinyModel, writeVersion } from '../../src/catalog/testing/tiny-models.js';
import { type ModelsDir, temporaryModels } from '../support/models-dir.js';

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
const stage = { kind: 'render', file: 'm.onnx', tile: 64, halo: 4, scale: 1, input, output };
const same = (_: GraphWriter, x: Value): Value => x;

let models: ModelsDir;
beforeAll(async () => {
  models = await temporaryModels();
});
afterAll(() => models.remove());

let version = 0;

/** A denoise version around a tiny model; each its own number. */
async function made(
  model: TinyModel | Uint8Array,
  changes: Readonly<Record<string, unknown>> = {},
  manifest: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const file = model instanceof Uint8Array ? model : tinyModel(model);
  return writeVersion({
    modelsDir: models.path,
    operation: 'denoise',
    version: (version += 1),
    files: { 'm.onnx': file },
    stages: { clean: { ...stage, ...changes } },
    manifest,
  });
}

const reasonOf = (verdict: VersionVerdict): string =>
  verdict.ok ? 'it was accepted' : verdict.refusal.message;

async function refusal(folder: string, options: Parameters<typeof checkVersion>[1] = {}): Promise<string> {
  const message = reasonOf(await checkVersion(folder, options));
  // One sentence: it names the version, and ends.
  expect(message).toMatch(/^denoise\/\d+ is not served: [^\n]+\.$/);
  return message;
}

describe('checkVersion', { timeout: 120_000 }, () => {
  it('accepts a version that keeps to its manifest, and says what ran', async () => {
    const verdict = await checkVersion(await made({ dims: free, body: same }));
    expect(verdict).toMatchObject({
      ok: true,
      operation: 'denoise',
      version,
      model: { name: 'tiny', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      stages: [{ stage: 'clean', composed: true, graphSha256: expect.stringMatching(/^[0-9a-f]{64}$/) }],
    });
    const shapes = verdict.ok ? verdict.stages[0]!.shapes : [];
    expect(shapes).toContain('1×72×72×3');
    expect(shapes).toContain('2×72×72×4');
    expect(shapes).toContain('2×40×40×3');
  });

  it('tries half precision too, where there is a file of it', async () => {
    const half = { dims: free, type: 'float16', body: same } as const;
    const files = { 'm.onnx': tinyModel({ dims: free, body: same }), 'half.onnx': tinyModel(half) };
    const sha256 = createHash('sha256').update(files['half.onnx']).digest('hex');
    const write = (dtype: string): Promise<string> =>
      writeVersion({
        modelsDir: models.path,
        operation: 'denoise',
        version: (version += 1),
        files,
        stages: { clean: { ...stage, fp16: { file: 'half.onnx', sha256, dtype } } },
      });
    const verdict = await checkVersion(await write('float16'));
    expect(verdict).toMatchObject({ ok: true, stages: [{ stage: 'clean' }, { stage: 'clean (fp16)' }] });
    expect(await refusal(await write('float32'))).toContain('is float16, the manifest says float32');
  });

  it('finds weights that lie outside of the graph, and hashes them', async () => {
    const weight = new Uint8Array(Float32Array.of(0.5).buffer);
    const sha256 = createHash('sha256').update(weight).digest('hex');
    const folder = await writeVersion({
      modelsDir: models.path,
      operation: 'denoise',
      version: (version += 1),
      files: { 'm.onnx': externalModel('m.data'), 'm.data': weight },
      stages: { clean: { ...stage, external: { 'm.data': sha256 } } },
    });
    expect(reasonOf(await checkVersion(folder))).toBe('it was accepted');
    await writeFile(join(folder, 'm.data'), Buffer.alloc(4));
    expect(await refusal(folder)).toContain('the file m.data of stage clean has sha256');
  });

  it('accepts every version that is committed', async () => {
    for (const operation of ['auto_enhance', 'smooth_skin', 'upscale', 'bg_remove'])
      expect(reasonOf(await checkVersion(join('models', operation, '1')))).toBe('it was accepted');
  });

  describe('refuses files that are not as the manifest says', () => {
    it('a flipped bit', async () => {
      const folder = await made({ dims: free, body: same });
      const path = join(folder, 'm.onnx');
      const bytes = await readFile(path);
      bytes[bytes.length >> 1]! ^= 1;
      await writeFile(path, bytes);
      expect(await refusal(folder)).toMatch(
        /m\.onnx of stage clean has sha256 .* but the manifest says .*; restore the file/,
      );
    });

    it('a truncated file, whatever its hash', async () => {
      const folder = await made({ dims: free, body: same });
      await truncate(join(folder, 'm.onnx'), 40);
      expect(await refusal(folder)).toContain('restore the file');
      const cut = await made(tinyModel({ dims: free, body: same }).subarray(0, 100));
      expect(await refusal(cut)).toMatch(
        /m\.onnx of stage clean is not an ONNX model or is cut off; copy it again/,
      );
    });

    it('a missing file and a missing manifest', async () => {
      const folder = await made({ dims: free, body: same });
      await rm(join(folder, 'm.onnx'));
      expect(await refusal(folder)).toContain('m.onnx of stage clean cannot be read (ENOENT); restore it');
      await rm(join(folder, 'manifest.json'));
      expect(await refusal(folder)).toContain(
        'manifest.json cannot be read (ENOENT); add it or remove the folder',
      );
    });

    it('a manifest that is not right', async () => {
      const folder = await made({ dims: free, body: same }, { scale: 9 });
      expect(await refusal(folder)).toContain('stages.clean.scale must be a whole number from 1 to 8, not 9');
    });
  });

  describe('refuses graphs that do not run', () => {
    it('an operator the runtime lacks', async () => {
      const model = { dims: free, body: (g: GraphWriter, x: Value): Value => g.op('Sharpen', [x]) };
      expect(await refusal(await made(model))).toMatch(
        /m\.onnx of stage clean needs the operator .*Sharpen.*, which the runtime does not have; export the model without it/,
      );
    });

    it('weights that are NaN', async () => {
      const model = {
        dims: free,
        body: (g: GraphWriter, x: Value): Value => g.op('Mul', [x, g.constant(NaN)]),
      };
      expect(await refusal(await made(model))).toMatch(
        /gives numbers that are not finite \(NaN or infinite\)/,
      );
    });

    it('numbers that are infinite for some pixels only', async () => {
      const model = {
        dims: free,
        body: (g: GraphWriter, x: Value): Value => g.op('Div', [g.constant(1), x]),
      };
      expect(await refusal(await made(model))).toContain('not finite');
    });

    it('a graph that wants 100 GB', async () => {
      const huge = (g: GraphWriter, x: Value): Value => {
        const shape = g.constant([1, 3, 92_000, 92_000], 'int64');
        const large = g.op('Expand', [g.op('ReduceMax', [x], { keepdims: 1 }), shape]);
        return g.op('Add', [x, g.op('ReduceMax', [large], { keepdims: 1 })]);
      };
      const message = await refusal(await made({ dims: free, body: huge }));
      expect(message).toMatch(
        /the stage clean .*memory.*; choose a smaller tile, size or maxBatch, or raise MODEL_CHECK_MEMORY_BYTES/,
      );
    });

    it('files that alone are larger than the limit, before they are loaded', async () => {
      const message = await refusal(await made({ dims: free, body: same }), { memoryLimitBytes: 100 });
      expect(message).toMatch(
        /the files of stage clean have \d+ bytes, twice that is more than the check allows/,
      );
    });

    it('a graph that does not end', async () => {
      const folder = await made({ dims: free, body: same });
      expect(await refusal(folder, { stepTimeoutMs: 5 })).toContain('it takes longer than 0.005 seconds');
    });
  });

  describe('refuses graphs that do something else than the manifest says', () => {
    const half = (g: GraphWriter, x: Value): Value =>
      g.op('AveragePool', [x], { kernel_shape: [2, 2], strides: [2, 2] });
    const mixing = (g: GraphWriter, x: Value): Value =>
      g.op('Add', [x, g.op('ReduceMean', [x], { axes: [0], keepdims: 1 })]);

    it.each([
      [
        'another scale',
        { dims: free, outputDims: null, body: half },
        {},
        /with scale 1 it must be 72 × 72; correct scale/,
      ],
      [
        'another name',
        { dims: free, body: same },
        { input: { ...input, name: 'X' } },
        /no input X, it has x float32\[N,3,H,W\]; correct input\.name/,
      ],
      [
        'another output',
        { dims: free, body: same },
        { output: { ...output, name: 'z' } },
        /no output z, it has y float32\[N,3,H,W\]; correct output\.name/,
      ],
      [
        'another type',
        { dims: free, body: same },
        { input: { ...input, dtype: 'float16' } },
        /is float32, the manifest says float16; correct input\.dtype/,
      ],
      ['another rank', { dims: ['N', 3], body: same }, {}, /has 2 axes and is no picture/],
      [
        'other channels',
        { dims: free, body: same },
        { input: { ...input, channels: 'Y' } },
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
        { dims: free, opset: 17, body: mixing },
        {},
        /another result in a batch of 2 than alone; set its maxBatch to 1/,
      ],
      [
        'no adapter',
        { dims: free, body: same },
        { input: undefined, output: undefined },
        /takes x float32\[N,3,H,W\], not the input image uint8 \[N,H,W,3 or 4\]/,
      ],
    ] as const)('%s', async (_, model, changes, expected) => {
      expect(await refusal(await made(model, changes))).toMatch(expected);
    });

    it('two inputs', async () => {
      const model = tinyModel({
        dims: free,
        body: (g, x) => g.op('Mul', [x, g.input('sigma', 'float32', [1])]),
      });
      expect(await refusal(await made(model))).toMatch(
        /asks for sigma float32\[1\] too, which nothing feeds/,
      );
    });
  });

  describe('with golden images', () => {
    it('accepts what comes out as it once did, and refuses what does not', async () => {
      const darker = {
        dims: free,
        body: (g: GraphWriter, x: Value): Value => g.op('Mul', [x, g.constant(0.5)]),
      };
      const golden = [{ before: 'before.png', after: 'after.png', level: 'low' }];
      const folder = await made(darker, {}, { golden });
      expect(await refusal(folder)).toContain(
        'the golden image before.png cannot be read (ENOENT); restore it',
      );
      await models.png(join(folder, 'before.png'), 40, 30, 100);
      await models.png(join(folder, 'after.png'), 40, 30, 50);
      expect(reasonOf(await checkVersion(folder))).toBe('it was accepted');
      await models.png(join(folder, 'after.png'), 40, 30, 54);
      expect(await refusal(folder)).toMatch(/differs from after\.png by 4 of 255, 2 are allowed/);
      await models.png(join(folder, 'after.png'), 41, 30, 50);
      expect(await refusal(folder)).toMatch(/becomes 40×30×4 at level low, after\.png is 41×30×4/);
    });
  });
});
