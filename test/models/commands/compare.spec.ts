import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeContactSheet } from '../../../src/cli/contact-sheet/contact-sheet.js';
import type { GraphWriter, Value } from '../../../src/models/compose/graph-writer.js';
import { tinyModel, writeVersion } from '../../../src/models/testing/tiny-models.js';
import { readPicture } from '../../support/images/flow-picture.js';
import { type CommandOutcome, runModelsCommand } from '../../support/models/models-command.js';
import { type ModelsDir, temporaryModels } from '../../support/models/models-dir.js';

const free = ['N', 3, 'H', 'W'] as const;
const input = {
  name: 'x',
  layout: 'NCHW',
  dtype: 'float32',
  channels: 'RGB',
  range: [0, 255],
  size: { mode: 'any' },
};
const output = {
  name: 'y',
  layout: 'NCHW',
  dtype: 'float32',
  meaning: 'image',
  channels: 'RGB',
  range: [0, 255],
};

describe('npm run models -- compare', () => {
  let models: ModelsDir;
  let data: string;

  /** A version that adds a constant to every value. */
  const brighter = (version: number, by: number): Promise<string> =>
    writeVersion({
      modelsDir: models.path,
      operation: 'brighten',
      version,
      files: {
        'm.onnx': tinyModel({
          dims: free,
          body: (g: GraphWriter, x: Value) => g.op('Add', [x, g.constant(by)]),
        }),
      },
      stages: { light: { kind: 'render', file: 'm.onnx', tile: 64, halo: 0, scale: 1, input, output } },
    });

  beforeAll(async () => {
    models = await temporaryModels();
    await brighter(1, 10);
    await brighter(2, 30);
    data = join(models.path, '.pictures');
    await mkdir(join(data, 'deeper'), { recursive: true });
    await models.png(join(data, 'a.png'), 48, 40, 90);
    await models.png(join(data, 'deeper/b.png'), 64, 32, 60);
  });
  afterAll(() => models.remove());

  const compare = (...args: string[]): Promise<CommandOutcome> =>
    runModelsCommand(['compare', ...args, '--json'], models.path);

  it('writes a sheet and measures the difference of two versions', async () => {
    const out = join(models.path, 'compared.png');
    const { code, json, stdout } = await compare(
      'brighten@1',
      'brighten@2',
      '--data',
      data,
      '--level',
      'low',
      '--out',
      out,
    );
    expect(code, stdout).toBe(0);
    expect(json).toMatchObject({
      a: { version: 1 },
      b: { version: 2 },
      measures: [{ level: 'low', pictures: 2, refused: { a: 0, b: 0 } }],
      scores: [],
      sheet: out,
    });
    const [measures] = (json as { measures: { apart: number; changed: { a: number; b: number } }[] })
      .measures;
    // One of four channels is alpha, which does not change.
    expect(measures!.apart).toBeCloseTo(15, 1);
    expect(measures!.changed.a).toBeCloseTo(7.5, 1);
    expect(measures!.changed.b).toBeCloseTo(22.5, 1);
    expect((await readPicture(await readFile(out))).width).toBeGreaterThan(1_000);
  });

  it('says why results of other sizes have no difference', async () => {
    await writeVersion({
      modelsDir: models.path,
      operation: 'brighten',
      version: 3,
      files: {
        'm.onnx': tinyModel({
          dims: free,
          outputDims: null,
          body: (g: GraphWriter, x: Value) => {
            const channels = g.op('Concat', [x, x, x, x], { axis: 1 });
            return g.op('DepthToSpace', [channels], { blocksize: 2, mode: 'DCR' });
          },
        }),
      },
      stages: { x2: { kind: 'render', file: 'm.onnx', tile: 64, halo: 8, scale: 2, input, output } },
    });
    const versions = ['compare', 'brighten@1', 'brighten@3'];
    const options = ['--data', data, '--level', 'low', '--out', join(models.path, 'sizes.png')];
    const { code, stdout } = await runModelsCommand([...versions, ...options], models.path);
    expect(code, stdout).toBe(0);
    expect(stdout).toMatch(/^low +2 +change of the source, of 255 +7\.50 +other size/m);
    expect(stdout).toMatch(/^low +2 +apart, of 255 +other size$/m);
    const { json } = await compare(...versions.slice(1), ...options);
    const unmeasured = { changed: { a: null, b: 'size' }, apart: 'size' };
    expect(json).toMatchObject({ measures: [{ apart: null, unmeasured }] });
  });

  it('names the versions on the sheet, because both pictures are results', async () => {
    const [out, named] = [join(models.path, 'captioned.png'), join(models.path, 'named.png')];
    const options = ['--data', data, '--level', 'low', '--out', out];
    const { code, stdout } = await compare('brighten@1', 'brighten@2', ...options);
    expect(code, stdout).toBe(0);
    const rowOf = async (gray: number): Promise<Buffer> => {
      await models.png(named, 48, 40, gray);
      return readFile(named);
    };
    const [before, after] = [await rowOf(100), await rowOf(120)];
    await writeContactSheet(named, [
      { title: '', subtitle: '', before, after, names: ['brighten@1', 'brighten@2'] },
    ]);
    const captions = async (path: string): Promise<Buffer> => {
      const { width, data: pixels } = await readPicture(await readFile(path));
      // Below the margin, the heading and a picture of 360 × 300.
      const top = 56 + 84 + 300;
      return Buffer.from(pixels.subarray(top * width * 4, (top + 30) * width * 4));
    };
    const found = await captions(out);
    expect(new Set(found).size).toBeGreaterThan(10);
    expect(found.equals(await captions(named))).toBe(true);
  });

  it.each([
    [
      'a version that is not there',
      ['brighten@1', 'brighten@9'],
      1,
      /^There is no version 9 of brighten in .*; it has 1, 2 and 3\.$/,
    ],
    [
      'an operation that is not there',
      ['darken@1', 'darken@2'],
      1,
      /^There is no version of darken in .*\.$/,
    ],
    ['versions of two operations', ['brighten@1', 'upscale@1'], 2, /different operations/],
    ['what is no version', ['brighten@1', 'brighten'], 2, /named as upscale@1/],
  ])('refuses %s', async (_, names, code, text) => {
    const outcome = await compare(...names, '--data', data);
    expect(outcome.code).toBe(code);
    expect((outcome.json as { error: string }).error).toMatch(text);
  });

  it('refuses a folder without pictures', async () => {
    const outcome = await compare('brighten@1', 'brighten@2', '--data', join(models.path, 'brighten'));
    expect(outcome).toMatchObject({ code: 1, json: { error: expect.stringContaining('There is no PNG') } });
  });
});
