import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CommandOutcome, runModelsCommand } from '../../support/models/models-command.js';
import { type ModelsDir, temporaryModels } from '../../support/models/models-dir.js';
import { graphFiles, layersFiles, type TensorflowFiles } from '../../support/models/tensorflow-models.js';

describe('models add for a TensorFlow.js folder', () => {
  let models: ModelsDir;
  beforeAll(async () => {
    models = await temporaryModels();
  });
  afterAll(() => models.remove());

  async function folderOf(name: string, { model, weights }: TensorflowFiles): Promise<string> {
    const folder = join(models.path, name);
    await mkdir(folder);
    await writeFile(join(folder, 'model.json'), model);
    await writeFile(join(folder, 'weights.bin'), weights);
    return folder;
  }

  const add = (path: string, ...options: string[]): Promise<CommandOutcome> =>
    runModelsCommand(['add', path, '--operation', 'upscale', ...options, '--json'], models.path);

  /** Doubles the size by repeating pixels. @param size of the input; null for any */
  const double = (size: number | null): Promise<TensorflowFiles> =>
    layersFiles((tfl) =>
      tfl.sequential({
        layers: [tfl.layers.upSampling2d({ inputShape: [size, size, 3], size: [2, 2] })],
      }),
    );

  it('detects scale, ranges and halo of a layers model, and installs it', async () => {
    const folder = await folderOf('layers', await double(null));
    const outcome = await add(folder);
    expect(outcome.code, outcome.stdout).toBe(0);
    const { manifest, folder: version } = outcome.json as {
      manifest: { engine: string; stages: { picture: Record<string, unknown> } };
      folder: string;
    };
    expect(manifest).toMatchObject({
      engine: 'tensorflow',
      stages: {
        picture: {
          file: 'model.json',
          scale: 2,
          halo: 8,
          tensorflow: {
            inputRange: [0, 1],
            outputRange: [0, 1],
            weights: { 'weights.bin': expect.any(String) },
          },
        },
      },
    });
    expect(await readFile(join(version, 'weights.bin'))).toBeDefined();
  });

  it('also accepts the model.json of a graph model', async () => {
    const folder = await folderOf('graph', graphFiles('Mul', 0.5));
    const outcome = await add(join(folder, 'model.json'), '--range', '0,1', '--output-range', '0,1');
    expect(outcome.code, outcome.stdout).toBe(0);
    expect(outcome.json).toMatchObject({ manifest: { engine: 'tensorflow' } });
  });

  it('prints what it has found in the terms of the manifest and of the field', async () => {
    const folder = await folderOf('printed', await double(null));
    const { stdout } = await runModelsCommand(['add', folder, '--operation', 'double'], models.path);
    expect(stdout).toContain(
      '\nFound: input image: NHWC float32 RGB [0, 1], any size; output result: image, ×2; receptive field: 1 pixel on each side.\n',
    );
  });

  it('refuses options that its engine cannot apply', async () => {
    const folder = await folderOf('normalized', await double(null));
    const options = ['--mean', '0.5', '--std', '0.5', '--channels', 'BGR'];
    expect(await add(folder, ...options)).toMatchObject({
      code: 2,
      json: { error: expect.stringMatching(/^--mean and --std and --channels BGR cannot be used with/) },
    });
  });

  it('refuses a model of one fixed size, and says what it needs', async () => {
    const outcome = await add(await folderOf('fixed', await double(64)));
    expect(outcome).toMatchObject({
      code: 1,
      json: { error: expect.stringContaining('pictures of any size') },
    });
  });

  it('names an operator that the runtime does not have', async () => {
    const { model, weights } = graphFiles('Mul', 0.5);
    const text = Buffer.from(model).toString().replace('"op":"Mul"', '"op":"Sharpen"');
    const folder = await folderOf('operator', { model: Buffer.from(text), weights });
    expect(await add(folder)).toMatchObject({
      code: 1,
      json: {
        error:
          'The model needs the operator Sharpen, which the runtime does not have. Export the model without it.',
      },
    });
  });

  it('says that weights do not belong to the model', async () => {
    const { model, weights } = graphFiles('Mul', 0.5);
    const text = Buffer.from(model).toString().replace('"shape":[]', '"shape":[3]');
    expect(text).toContain('"shape":[3]');
    const outcome = await add(await folderOf('weights', { model: Buffer.from(text), weights }));
    expect(outcome).toMatchObject({
      code: 1,
      json: { error: expect.stringMatching(/^The runtime does not load model\.json: /) },
    });
  });

  it('refuses weights that are not next to the model', async () => {
    const { weights } = graphFiles('Mul', 0.5);
    const json = {
      format: 'graph-model',
      modelTopology: {},
      weightsManifest: [{ paths: ['../weights.bin'], weights: [] }],
    };
    const folder = await folderOf('outside', { model: Buffer.from(JSON.stringify(json)), weights });
    expect(await add(folder)).toMatchObject({
      code: 1,
      json: { error: expect.stringContaining('they must lie beside it') },
    });
  });

  it('says what is missing in a JSON file that is no model, and what to do with weights of PyTorch', async () => {
    const [json, weights] = [join(models.path, 'settings.json'), join(models.path, 'weights.pth')];
    await writeFile(json, '{"name":"x"}');
    await writeFile(weights, 'PK\u0003\u0004\u0014\u0000\u0000');
    expect(await add(json)).toMatchObject({
      code: 1,
      json: {
        error: expect.stringMatching(
          /not the model\.json of a TensorFlow\.js model: it has no modelTopology/,
        ),
      },
    });
    expect(await add(weights)).toMatchObject({
      code: 1,
      json: { error: expect.stringMatching(/not an ONNX model.*\. Export it to ONNX first/) },
    });
  });

  it('refuses a folder without a model', async () => {
    const folder = join(models.path, 'empty');
    await mkdir(folder);
    expect(await add(folder)).toMatchObject({
      code: 1,
      json: { error: expect.stringContaining('model.json') },
    });
  });
});
