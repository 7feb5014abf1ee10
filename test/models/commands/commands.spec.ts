import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GraphWriter, type Value } from '../../../src/models/compose/graph-writer.js';
import { type TinyModel, tinyModel } from '../../../src/models/testing/tiny-models.js';
import { unknownOperatorModel } from '../../../src/models/testing/unknown-operator.js';
import { readPicture } from '../../support/images/flow-picture.js';
import { runModelsCommand } from '../../support/models/models-command.js';
import { type ModelsDir, temporaryModels } from '../../support/models/models-dir.js';

const free = ['N', 3, 'H', 'W'] as const;
const PHOTO = 'scripts/assets/astronaut.png';

const double = (g: GraphWriter, x: Value): Value =>
  g.op('Resize', [x, g.constant([], 'float32'), g.constant([1, 1, 2, 2])], {
    mode: 'nearest',
    coordinate_transformation_mode: 'asymmetric',
    nearest_mode: 'floor',
  });

/** Means of 8 × 8 blocks, upscaled again: a size that is not a multiple of 8 shrinks. */
const blocks = (g: GraphWriter, x: Value): Value =>
  g.op(
    'Resize',
    [
      g.op('AveragePool', [x], { kernel_shape: [8, 8], strides: [8, 8] }),
      g.constant([], 'float32'),
      g.constant([1, 1, 8, 8]),
    ],
    { mode: 'nearest', coordinate_transformation_mode: 'asymmetric', nearest_mode: 'floor' },
  );

/** A weak 5 × 5 mean minus the center, as a residual denoiser returns. */
const residual = (g: GraphWriter, x: Value): Value => {
  const kernel = Array.from({ length: 25 }, (_, at) => (at === 12 ? -0.96 : 0.04));
  const weights = g.constant([...kernel, ...kernel, ...kernel], 'float32', [3, 1, 5, 5]);
  return g.op('Conv', [x, weights], { kernel_shape: [5, 5], pads: [2, 2, 2, 2], group: 3 });
};

/** Bright pixels are the subject, as logits from −8 to 8. */
const logits = (g: GraphWriter, x: Value): Value => {
  const weights = g.constant([16 / 3, 16 / 3, 16 / 3], 'float32', [1, 3, 1, 1]);
  return g.op('Sub', [g.op('Conv', [x, weights]), g.constant(8)]);
};

const INVALID_NAME = expect.stringMatching(
  /^My-Op\/1 is not served: the name of an operation folder/,
) as string;

describe('npm run models --', () => {
  let models: ModelsDir;
  beforeAll(async () => {
    models = await temporaryModels();
  });
  afterAll(() => models.remove());

  const run = (...args: string[]): ReturnType<typeof runModelsCommand> =>
    runModelsCommand([...args, '--json'], models.path);

  async function fileOf(name: string, model: TinyModel): Promise<string> {
    const path = join(models.path, `${name}.onnx`);
    await writeFile(path, tinyModel(model));
    return path;
  }

  interface Added {
    readonly ok: boolean;
    readonly folder: string;
    readonly manifest: { readonly stages: Record<string, Record<string, unknown>>; readonly levels: object };
    readonly notes: readonly string[];
  }

  async function added(operation: string, path: string, ...options: string[]): Promise<Added> {
    const { code, json, stdout } = await run('add', path, '--operation', operation, ...options);
    expect(code, stdout).toBe(0);
    return json as Added;
  }

  describe('add', () => {
    it('detects the scale, the ranges and the receptive field, and reports outputs that it ignores', async () => {
      const g = new GraphWriter(17, 'ours/');
      const y = double(g, g.input('x', 'float32', free));
      for (const name of ['y', 'again']) g.output(y, name, 'float32', null);
      const path = join(models.path, 'double.onnx');
      await writeFile(path, g.model(8));
      const { manifest, notes } = await added('upscale', path);
      expect(notes).toContainEqual(
        expect.stringMatching(/^outputs: y was taken; again float32\[…\] was left out/),
      );
      expect(manifest.stages['picture']).toMatchObject({
        kind: 'render',
        scale: 2,
        tile: 256,
        halo: 8,
        maxBatch: 4,
        input: {
          name: 'x',
          layout: 'NCHW',
          dtype: 'float32',
          channels: 'RGB',
          range: [0, 1],
          size: { mode: 'any' },
        },
        output: { name: 'y', meaning: 'image', range: [0, 1], channels: 'RGB' },
      });
    });

    it('detects that only multiples of 8 work', async () => {
      const { manifest } = await added(
        'mosaic',
        await fileOf('blocks', { dims: free, outputDims: null, body: blocks }),
      );
      expect(manifest.stages['picture']).toMatchObject({
        scale: 1,
        input: { size: { mode: 'multiple-of', of: 8 } },
        output: { meaning: 'image', strength: 'blend' },
      });
      expect(manifest.levels).toMatchObject({ low: { strength: 0.35 }, high: { strength: 1 } });
    });

    it('detects that a result is a residual in half precision', async () => {
      const half = { type: 'float16', dims: free } as const;
      const body = (g: GraphWriter, x: Value): Value =>
        g.op('Cast', [residual(g, g.op('Cast', [x], { to: 1 }))], { to: 10 });
      const { manifest } = await added('denoise', await fileOf('residual', { ...half, body }));
      expect(manifest.stages['picture']).toMatchObject({
        input: { dtype: 'float16' },
        output: { dtype: 'float16', meaning: 'residual' },
      });
    });

    it('detects that an output is the logits of a subject at one fixed size', async () => {
      const dims = [1, 3, 96, 96] as const;
      const path = await fileOf('bright', { dims, outputDims: [1, 1, 96, 96], body: logits });
      const { manifest } = await added('bg_remove', path, '--range', '0,1');
      expect(manifest.stages).toMatchObject({
        subject: {
          kind: 'analyse',
          size: 96,
          outputs: { alpha: [1, 96, 96] },
          input: { size: { mode: 'fixed', height: 96, width: 96 } },
          output: { meaning: 'logits' },
        },
        cutout: { kind: 'matte', analyse: 'subject', map: 'alpha' },
      });
    });

    it("detects that a graph follows the service's own contract", async () => {
      const { manifest } = await added('upscale', 'models/upscale/1/x2-fast.onnx');
      expect(manifest.stages['picture']).toMatchObject({ scale: 2, maxBatch: 4 });
      expect(manifest.stages['picture']).not.toHaveProperty('input');
    });

    it.each([
      ['a file that is none', 'nothing.onnx', /cannot be read \(ENOENT\)/],
      ['a file that is no model', 'README.md', /not an ONNX model, or it is cut off/],
      ['a JSON file that is no model', 'package.json', /it has no modelTopology/],
    ])('refuses %s', async (_, path, expected) => {
      const { code, json } = await run('add', path, '--operation', 'upscale');
      expect(code).toBe(1);
      expect((json as { error: string }).error).toMatch(expected);
    });

    it.each([
      ['of another domain', 'com.example', /needs the operator Sharpen of the domain com\.example, which/],
      ['of ONNX itself', '', /needs the operator Sharpen of the domain ai\.onnx, which/],
    ])('names an operator %s that the runtime lacks', async (_, domain, expected) => {
      const path = join(models.path, 'unknown.onnx');
      await writeFile(path, unknownOperatorModel('Sharpen', domain));
      const { code, json } = await run('add', path, '--operation', 'upscale');
      expect(code).toBe(1);
      expect((json as { error: string }).error).toMatch(expected);
    });

    it("reports the runtime's error for a graph that runs at no size", async () => {
      const body = (g: GraphWriter, x: Value): Value =>
        g.op('Reshape', [x, g.constant([1, 3, 5, 7], 'int64')]);
      const path = await fileOf('reshaped', { dims: free, outputDims: null, body });
      const { code, json } = await run('add', path, '--operation', 'upscale');
      expect(code).toBe(1);
      expect((json as { error: string }).error).toMatch(
        /runs at none of the sizes .*the runtime says: .*Reshape/,
      );
    });

    it('requires an operation', async () => {
      expect(await run('add', PHOTO)).toMatchObject({ code: 2 });
    });
  });

  it('cuts out a subject at full resolution with the map of a third-party model', async () => {
    const out = join(models.path, 'cut.png');
    const { code, stderr } = await run('sheet', PHOTO, '--operation', 'bg_remove', '--out', out);
    expect(code, stderr).toBe(0);
    const sheet = await readPicture(await readFile(out));
    expect(sheet.width).toBeGreaterThan(1_000);
  });

  it('lists versions that serve, wait or are refused', async () => {
    await rm(join(models.path, 'mosaic/1/blocks.onnx'));
    await cp(join(models.path, 'upscale/2'), join(models.path, 'My-Op/1'), { recursive: true });
    const { code, json } = await run('list');
    expect(code).toBe(0);
    expect(json).toMatchObject([
      { operation: 'bg_remove', version: '1', state: 'serves' },
      { operation: 'denoise', version: '1', state: 'serves', scales: [1, 1, 1] },
      { operation: 'mosaic', state: 'refused', message: expect.stringContaining('restore it.') },
      { operation: 'upscale', version: '2', state: 'serves', name: 'x2-fast' },
      { operation: 'upscale', version: '1', state: 'waits', name: 'double' },
      { operation: 'My-Op', version: '1', state: 'refused', message: INVALID_NAME },
    ]);
  });

  it('checks versions, and exits with code 1 if any is refused', async () => {
    const { code, json } = await run('check', models.path);
    expect(code).toBe(1);
    const verdicts = json as { ok: boolean; refusal?: { operation: string; message: string } }[];
    expect(verdicts).toHaveLength(6);
    const misnamed = { ok: false, refusal: { operation: 'My-Op', message: INVALID_NAME } };
    expect(verdicts.filter(({ ok }) => !ok)).toMatchObject([{ refusal: { operation: 'mosaic' } }, misnamed]);
    expect(await run('check', join(models.path, 'My-Op'))).toMatchObject({ code: 1, json: [misnamed] });
    expect(await run('check', join(models.path, 'denoise/1'))).toMatchObject({
      code: 0,
      json: [{ ok: true }],
    });
    await rm(join(models.path, 'My-Op'), { recursive: true });
  });

  it('benchmarks each stage next to plain convolutions', async () => {
    const { code, json } = await run('bench', '--operation', 'upscale');
    expect(code).toBe(0);
    expect(json).toMatchObject([{ stage: 'upscale/2/picture', provider: 'cpu' }]);
    const [row] = json as { gflops: number; ofPlain: number; megapixelsPerSecond: number }[];
    // 32,368 weights, each used once per source pixel: two operations a pixel.
    expect(row!.gflops).toBeGreaterThan(3);
    expect(row!.gflops).toBeLessThan(6.5);
    expect(row!.ofPlain).toBeGreaterThan(0);
    expect(row!.megapixelsPerSecond).toBeGreaterThan(0);
  });

  it('evaluates on any folder with the expected layout', async () => {
    const data = join(models.path, '.data');
    for (const part of ['LR', 'HR']) await mkdir(join(data, 'sr/Set5/x2', part), { recursive: true });
    await models.png(join(data, 'sr/Set5/x2/LR/a.png'), 48, 40, 90);
    await models.png(join(data, 'sr/Set5/x2/HR/a.png'), 96, 80, 90);
    const { code, json } = await run('eval', '--data', data, '--operation', 'upscale');
    expect(code, JSON.stringify(json)).toBe(0);
    const rows = json as {
      level: string;
      set: string;
      metric: string;
      ours: number;
      baseline: { value: number };
    }[];
    expect(
      rows.filter(({ metric }) => metric !== 'not there').map(({ level, set }) => `${level} ${set}`),
    ).toEqual(['low', 'medium', 'high'].flatMap((level) => [`${level} Set5 ×2`, `${level} Set5 ×2 JPEG 75`]));
    // Missing data sets are listed.
    expect(rows.filter(({ metric }) => metric === 'not there')).toEqual(
      ['low', 'medium', 'high'].map(() =>
        expect.objectContaining({ set: 'sr/Set14/x2', ours: null, met: null }),
      ),
    );
    expect(rows[0]).toMatchObject({ target: { at: 'least', value: 36.6 }, met: expect.any(Boolean) });
    // A plain gray stays the same under bicubic, so the noise is near zero.
    expect(rows[0]!.baseline.value).toBeGreaterThan(100);
    expect(rows[0]!.ours).toBeGreaterThan(30);
    expect(await run('eval', '--data', join(models.path, 'none'))).toMatchObject({ code: 1 });
    expect(await run('eval')).toMatchObject({ code: 2 });
  });

  it('validates its command line', async () => {
    expect(await run()).toMatchObject({ code: 2 });
    expect(await run('nothing')).toMatchObject({ code: 2 });
  });

  it('starts without the modules of the database', async () => {
    const coverage = join(models.path, '.coverage');
    const { stdout } = await runModelsCommand(['--help'], models.path, { NODE_V8_COVERAGE: coverage });
    expect(stdout).toContain('main.models.js <command>');
    const [report] = await readdir(coverage);
    const { result } = JSON.parse(await readFile(join(coverage, report!), 'utf8')) as {
      result: { url: string }[];
    };
    const packed = result.filter(({ url }) => url.includes('/.packed/'));
    const texts = await Promise.all(packed.map(({ url }) => readFile(new URL(url), 'utf8')));
    // A packed file names each of its modules in a comment.
    const loaded = texts.flatMap((text) =>
      [...text.matchAll(/^\/\/ (\S+\.m?js)$/gm)].map(([, path]) => path!),
    );
    expect(loaded).toContain('cli/models/models-program.js');
    expect(loaded.filter((path) => path.startsWith('infra/database/'))).toEqual([]);
  });
});
