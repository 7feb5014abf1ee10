import { existsSync } from 'node:fs';
import { cp, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GraphWriter, Value } from '../../../src/models/compose/graph-writer.js';
import { tinyModel, writeVersion } from '../../../src/models/testing/tiny-models.js';
import type { FlowClient } from '../../support/roles/flow-client.js';
import {
  cropped,
  meanChange,
  type Picture,
  pixelAt,
  pngOf,
  readPicture,
} from '../../support/images/flow-picture.js';
import { FlowService } from '../../support/roles/flow-service.js';
import { type ModelsDir, temporaryModels } from '../../support/models/models-dir.js';
import { THIRD_PARTY, x3Version } from '../../support/models/third-party.js';

/** Averages each pixel over its 3 × 3 neighborhood, per channel. */
function meanOfNine(g: GraphWriter, x: Value): Value {
  const weights = g.constant(
    Array.from({ length: 27 }, () => 1 / 9),
    'float32',
    [3, 1, 3, 3],
  );
  return g.op('Conv', [x, weights], { kernel_shape: [3, 3], pads: [1, 1, 1, 1], group: 3 });
}

/** Adds a third-party denoiser that takes BGR from −1 to 1, as a folder of its own. */
async function addDenoise(modelsDir: string): Promise<void> {
  const pixels = { layout: 'NCHW', dtype: 'float32', channels: 'BGR', range: [-1, 1] };
  await writeVersion({
    modelsDir,
    operation: 'denoise',
    files: { 'mean.onnx': tinyModel({ dims: ['N', 3, 'H', 'W'], body: meanOfNine }) },
    stages: {
      mean: {
        kind: 'render',
        file: 'mean.onnx',
        tile: 64,
        halo: 8,
        scale: 1,
        input: { name: 'x', ...pixels, size: { mode: 'any' } },
        output: { name: 'y', ...pixels, meaning: 'image', strength: 'blend' },
      },
    },
    levels: {
      low: { strength: 0.25, render: 'mean' },
      medium: { strength: 0.5, render: 'mean' },
      high: { strength: 1, render: 'mean' },
    },
  });
}

/** Adds a higher version of `auto_enhance` whose weights are NaN. */
async function addBroken(modelsDir: string): Promise<void> {
  const pixels = { layout: 'NCHW', dtype: 'float32', channels: 'RGB', range: [0, 1] };
  const body = (g: GraphWriter, x: Value): Value => g.op('Mul', [x, g.constant(NaN)]);
  await writeVersion({
    modelsDir,
    operation: 'auto_enhance',
    version: 2,
    files: { 'nan.onnx': tinyModel({ dims: ['N', 3, 'H', 'W'], body }) },
    stages: {
      nan: {
        kind: 'render',
        file: 'nan.onnx',
        tile: 64,
        halo: 8,
        scale: 1,
        input: { name: 'x', ...pixels, size: { mode: 'any' } },
        output: { name: 'y', ...pixels, meaning: 'image' },
      },
    },
  });
}

/** Adds an operation whose network returns NaN for pure red, which its check does not try. */
async function addFragile(modelsDir: string): Promise<void> {
  const pixels = { layout: 'NCHW', dtype: 'float32', channels: 'RGB', range: [0, 1] };
  const body = (g: GraphWriter, x: Value): Value => {
    const redness = g.op('Conv', [x, g.constant([1, -1, 0], 'float32', [1, 3, 1, 1])]);
    const root = g.op('Sqrt', [g.op('Sub', [g.constant(0.95), redness])]);
    return g.op('Add', [x, g.op('Mul', [root, g.constant(0)])]);
  };
  await writeVersion({
    modelsDir,
    operation: 'fragile',
    files: { 'root.onnx': tinyModel({ dims: ['N', 3, 'H', 'W'], body }) },
    stages: {
      root: {
        kind: 'render',
        file: 'root.onnx',
        tile: 64,
        halo: 8,
        scale: 1,
        input: { name: 'x', ...pixels, size: { mode: 'any' } },
        output: { name: 'y', ...pixels, meaning: 'image' },
      },
    },
  });
}

describe('models added as folders', () => {
  let models: ModelsDir;
  let service: FlowService;
  let client: FlowClient;
  let photo: Picture;
  const hasX3 = existsSync(THIRD_PARTY);

  beforeAll(async () => {
    models = await temporaryModels();
    for (const operation of ['smooth_skin', 'upscale', 'auto_enhance', 'bg_remove']) {
      await mkdir(join(models.path, operation));
      await cp(join('models', operation, '1'), join(models.path, operation, '1'), { recursive: true });
    }
    await addDenoise(models.path);
    await addFragile(models.path);
    if (hasX3) await writeVersion(x3Version(models.path));
    await addBroken(models.path);
    service = await FlowService.start({ env: { MODELS_DIR: models.path } });
    client = await service.client();
    photo = cropped(await readPicture(await readFile('scripts/assets/astronaut.png')), 150, 40, 151, 97);
  });
  afterAll(async () => {
    await service?.close();
    await models?.remove();
  });

  it('lists the new operation along with the specified ones', async () => {
    const { json } = await client.request('GET', '/api/ai/operations');
    const { data } = json as unknown as { data: { operation: string; model: object; scales: object }[] };
    expect(data.map(({ operation }) => operation)).toEqual([
      'auto_enhance',
      'bg_remove',
      'denoise',
      'fragile',
      'smooth_skin',
      'upscale',
    ]);
    const denoise = data.find(({ operation }) => operation === 'denoise');
    expect(denoise).toMatchObject({
      scales: { low: 1, medium: 1, high: 1 },
      producesAlpha: false,
      model: { name: 'tiny', version: 1 },
    });
  });

  it('runs the new operation at the strength of each level', async () => {
    const source = await client.upload(await pngOf(photo));
    const results = new Map<string, Picture>();
    for (const level of ['low', 'medium', 'high'] as const) {
      const { job, bytes } = await client.enhanceSource(source.url, { operation: 'denoise', level });
      expect(job).toMatchObject({
        status: 'completed',
        operation: 'denoise',
        model: { name: 'tiny', version: 1 },
      });
      results.set(level, await readPicture(bytes));
    }
    const change = (level: string): number => meanChange(photo, results.get(level)!);
    expect(change('low')).toBeGreaterThan(0.1);
    expect(change('medium')).toBeGreaterThan(change('low') * 1.5);
    expect(change('high')).toBeGreaterThan(change('medium') * 1.5);
    const high = results.get('high')!;
    // Across tile borders, too, each pixel is the mean of nine, as the model defines.
    for (const [x, y] of [
      [40, 30],
      [63, 20],
      [64, 64],
      [128, 63],
    ] as const) {
      const means = [0, 1, 2].map((channel) => {
        const around = [-1, 0, 1].flatMap((dy) =>
          [-1, 0, 1].map((dx) => pixelAt(photo, x + dx, y + dy)[channel]!),
        );
        return around.reduce((a, b) => a + b) / 9;
      });
      means.forEach((mean, channel) =>
        expect(Math.abs(pixelAt(high, x, y)[channel]! - mean)).toBeLessThanOrEqual(1),
      );
    }
  });

  it('serves the previous version when a higher one returns NaN, and reports why', async () => {
    const { job } = await client.enhance(await pngOf(photo), { operation: 'auto_enhance' });
    expect(job).toMatchObject({ status: 'completed', model: { name: 'measured-tone', version: 1 } });
    const { json } = await client.request('GET', '/health/models');
    expect(json['refusals']).toEqual([
      {
        operation: 'auto_enhance',
        version: '2',
        message: expect.stringMatching(
          /^auto_enhance\/2 is not served: the stage nan gives numbers that are not finite .*\.$/,
        ),
      },
    ]);
  });

  it('fails a job whose result contains NaN instead of delivering black tiles', async () => {
    const fine = await client.enhance(await pngOf(photo), { operation: 'fragile' });
    expect(fine.job).toMatchObject({ status: 'completed' });
    expect(meanChange(photo, await readPicture(fine.bytes))).toBeLessThan(0.01);
    const pixels = Uint8Array.from(photo.data);
    // Red in one of the tiles.
    pixels.set([255, 0, 0], (photo.width * 80 + 120) * 4);
    const source = await client.upload(await pngOf({ ...photo, data: pixels }));
    const { id } = await client.create(source.url, { operation: 'fragile' });
    const job = await client.until(id, 'completed', 'failed');
    expect(job).toMatchObject({ status: 'failed', error: { code: 'processing_failed' } });
  });

  it.skipIf(!hasX3)('upscales by three with a third-party file (../shared/data/models)', async () => {
    const { bytes, job } = await client.enhance(await pngOf(photo), { operation: 'upscale', level: 'high' });
    expect(job).toMatchObject({
      model: { name: 'pytorch-super-resolution', version: 2 },
      result: { width: 453, height: 291 },
    });
    const result = await readPicture(bytes);
    // An enlarged copy: each source pixel is roughly the mean of nine result pixels.
    const shrunk = shrunkByThree(result);
    expect(meanChange(photo, shrunk)).toBeLessThan(4);
    expect(meanChange(photo, shrunk)).toBeGreaterThan(0);
  });
});

function shrunkByThree({ data, width, height }: Picture): Picture {
  const small = {
    width: width / 3,
    height: height / 3,
    data: new Uint8Array((width / 3) * (height / 3) * 4),
  };
  for (let y = 0; y < small.height; y++) {
    for (let x = 0; x < small.width * 4; x++) {
      let sum = 0;
      for (let part = 0; part < 9; part++) {
        const row = 3 * y + Math.floor(part / 3);
        sum += data[(row * width + 3 * (x >> 2) + (part % 3)) * 4 + (x & 3)]!;
      }
      small.data[y * small.width * 4 + x] = Math.round(sum / 9);
    }
  }
  return small;
}
