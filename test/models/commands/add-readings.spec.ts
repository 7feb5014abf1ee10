import { access, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodedOpset, GraphWriter, type Value } from '../../../src/models/compose/graph-writer.js';
import { delimited, joined, utf8 } from '../../../src/models/onnx/wire.js';
import { type TinyModel, tinyModel } from '../../../src/models/testing/tiny-models.js';
import { readPicture } from '../../support/images/flow-picture.js';
import { type CommandOutcome, runModelsCommand } from '../../support/models/models-command.js';
import { type ModelsDir, temporaryModels } from '../../support/models/models-dir.js';

const free = ['N', 3, 'H', 'W'] as const;
const MEAN = [0.485, 0.456, 0.406];
const STD = [0.229, 0.224, 0.225];

/** Twice as large and sharper, clipped to 0–1: what a network makes of a picture from 0 to 1. */
const enlarge = (g: GraphWriter, x: Value): Value => {
  const kernel = Array.from({ length: 9 }, (_, at) => (at === 4 ? 1.8 : -0.1));
  const weights = g.constant([...kernel, ...kernel, ...kernel], 'float32', [3, 1, 3, 3]);
  const pads = g.constant([0, 0, 1, 1, 0, 0, 1, 1], 'int64');
  const sharp = g.op('Conv', [g.op('Pad', [x, pads], { mode: 'edge' }), weights], {
    kernel_shape: [3, 3],
    group: 3,
  });
  const limited = g.op('Clip', [sharp, g.constant(0), g.constant(1)]);
  return g.op('Resize', [limited, g.constant([], 'float32'), g.constant([1, 1, 2, 2])], {
    mode: 'nearest',
    coordinate_transformation_mode: 'asymmetric',
    nearest_mode: 'floor',
  });
};

const perChannel = (g: GraphWriter, values: readonly number[]): Value =>
  g.constant(values, 'float32', [1, 3, 1, 1]);

/** A network whose input is normalized with the ImageNet statistics. */
const imagenet = (g: GraphWriter, x: Value): Value =>
  enlarge(g, g.op('Add', [g.op('Mul', [x, perChannel(g, STD)]), perChannel(g, MEAN)]));

/** A network quantized for an input from 0 to 1. */
const quantized = (g: GraphWriter, x: Value): Value => {
  const [scale, zero] = [g.constant(1 / 255), g.constant(0, 'uint8')];
  const bytes = g.op('QuantizeLinear', [x, scale, zero]);
  return enlarge(g, g.op('DequantizeLinear', [bytes, scale, zero]));
};

/** Bright pixels are the subject, as logits from −8 to 8. */
const bright = (g: GraphWriter, x: Value): Value => {
  const weights = g.constant([16 / 3, 16 / 3, 16 / 3], 'float32', [1, 3, 1, 1]);
  return g.op('Sub', [g.op('Conv', [x, weights]), g.constant(8)]);
};

describe('models add detects the input format of a model', () => {
  let models: ModelsDir;
  beforeAll(async () => {
    models = await temporaryModels();
  });
  afterAll(() => models.remove());

  async function add(name: string, model: Uint8Array, ...options: string[]): Promise<CommandOutcome> {
    const path = join(models.path, `${name}.onnx`);
    await writeFile(path, model);
    return runModelsCommand(['add', path, '--operation', name, ...options, '--json'], models.path);
  }

  const picture = (body: TinyModel['body']): Uint8Array => tinyModel({ dims: free, outputDims: null, body });
  const firstStage = ({ json }: CommandOutcome): Record<string, unknown> => {
    const { manifest } = json as { manifest: { stages: Record<string, Record<string, unknown>> } };
    return Object.values(manifest.stages)[0]!;
  };

  it('finds the ImageNet normalization instead of a residual in a wrong unit', async () => {
    const outcome = await add('imagenet', picture(imagenet));
    expect(outcome.code, outcome.stdout).toBe(0);
    expect(firstStage(outcome)).toMatchObject({
      scale: 2,
      input: { channels: 'RGB', range: [0, 1], mean: MEAN, std: STD },
      output: { meaning: 'image', range: [0, 1], channels: 'RGB' },
    });
  });

  it('finds the range that a quantized network was made for', async () => {
    const outcome = await add('quantized', picture(quantized));
    expect(outcome.code, outcome.stdout).toBe(0);
    const stage = firstStage(outcome);
    expect(stage).toMatchObject({ input: { range: [0, 1] }, output: { meaning: 'image', range: [0, 1] } });
    expect(stage['input']).not.toHaveProperty('mean');
  });

  it('finds a swapped channel order in the result', async () => {
    const swap = (g: GraphWriter, x: Value): Value =>
      g.op('Gather', [imagenet(g, x), g.constant([2, 1, 0], 'int64')], { axis: 1 });
    const outcome = await add(
      'swapped',
      picture(swap),
      '--range',
      '0,1',
      '--mean',
      MEAN.join(),
      '--std',
      STD.join(),
    );
    expect(firstStage(outcome)).toMatchObject({ input: { channels: 'RGB' }, output: { channels: 'BGR' } });
  });

  it('shows the candidates and installs nothing when the format is ambiguous', async () => {
    const dims = [1, 3, 96, 96] as const;
    const model = tinyModel({ dims, outputDims: [1, 1, 96, 96], body: bright });
    const outcome = await add('unclear', model);
    expect(outcome.code).toBe(1);
    const { ok, candidates, strip } = outcome.json as {
      ok: boolean;
      candidates: { number: number; options: string; error: number; fault: string | null }[];
      strip: string;
    };
    expect(ok).toBe(false);
    expect(candidates.map(({ options }) => options)).toContain('--range 0,1 --meaning logits');
    expect(candidates.map(({ number }) => number)).toEqual(candidates.map((_, index) => index + 1));
    const image = await readPicture(await readFile(strip));
    expect(image.width).toBe(8 + (candidates.length + 1) * 168);
    expect(image.height).toBe(8 + 3 * 168);
    expect(await readdir(models.path)).not.toContain('unclear');
    // An explicit range settles it.
    const chosen = await add('unclear', model, '--range', '0,1');
    expect(chosen.code, chosen.stdout).toBe(0);
    expect(firstStage(chosen)).toMatchObject({ input: { range: [0, 1] }, output: { meaning: 'logits' } });
    expect((chosen.json as { notes: string[] }).notes.join()).toMatch(/does not find the drawn subject/);
  });

  it('accepts the options of a candidate that it has shown, whatever the result looks like', async () => {
    const invert = (g: GraphWriter, x: Value): Value => g.op('Sub', [g.constant(1), x]);
    const model = tinyModel({ dims: [1, 3, 64, 64], body: invert });
    const shown = await add('negative', model, '--range', '0,1', '--meaning', 'image');
    const { candidates } = shown.json as { candidates: { options: string }[] };
    const options = '--range 0,1 --meaning image --output-range 0,1 --output-channels BGR';
    expect(candidates.map((candidate) => candidate.options)).toContain(options);
    const swapped = await add('negative', model, ...options.split(' '));
    expect(swapped.code, swapped.stdout).toBe(0);
    expect(firstStage(swapped)).toMatchObject({ input: { channels: 'RGB' }, output: { channels: 'BGR' } });
    // Without an order, the output has that of the input.
    const complete = '--range 0,1 --meaning image --output-range 0,1 --channels RGB';
    const same = await add('negative', model, ...complete.split(' '));
    expect(same.code, same.stdout).toBe(0);
    expect(firstStage(same)).toMatchObject({ input: { channels: 'RGB' }, output: { channels: 'RGB' } });
  });

  it('creates two versions when two models are added concurrently', async () => {
    const model = picture(enlarge);
    const paths = ['first', 'second'].map((name) => join(models.path, `${name}.onnx`));
    for (const path of paths) await writeFile(path, model);
    const added = await Promise.all(
      paths.map((path) =>
        runModelsCommand(['add', path, '--operation', 'at_once', '--range', '0,1', '--json'], models.path),
      ),
    );
    expect(added.map(({ code }) => code)).toEqual([0, 0]);
    expect((await readdir(join(models.path, 'at_once'))).toSorted()).toEqual(['1', '2']);
  });

  it('explains why no reading of a constant result fits', async () => {
    const flat = (g: GraphWriter, x: Value): Value =>
      g.op('Add', [g.op('Mul', [x, g.constant(0)]), g.constant(0.5)]);
    const { code, json } = await add('flat', picture(flat));
    expect(code).toBe(1);
    const { candidates } = json as { candidates: { fault: string | null }[] };
    expect(candidates.length).toBeGreaterThan(0);
    expect(candidates.every(({ fault }) => fault !== null)).toBe(true);
  });

  it('reads an alpha map in the given range', async () => {
    const bytes = (g: GraphWriter, x: Value): Value =>
      g.op('Mul', [g.op('Sigmoid', [bright(g, x)]), g.constant(255)]);
    const model = tinyModel({ dims: [1, 3, 96, 96], outputDims: [1, 1, 96, 96], body: bytes });
    const options = ['--range', '0,1', '--meaning', 'alpha', '--output-range', '0,255'];
    const outcome = await add('bytes', model, ...options);
    expect(outcome.code, outcome.stdout).toBe(0);
    expect(firstStage(outcome)).toMatchObject({ output: { meaning: 'alpha', range: [0, 255] } });
  });

  it('notes that a residual also makes a picture in another range', async () => {
    // Enhances edges by up to a tenth of white, in the range 0 to 1.
    const edges = (g: GraphWriter, x: Value): Value => {
      const kernel = [0, 1, 2].flatMap((to) =>
        [0, 1, 2].flatMap((from) =>
          Array.from({ length: 9 }, (_, at) => (to === from ? (at === 4 ? 8 / 9 : -1 / 9) : 0)),
        ),
      );
      const conv = g.op('Conv', [x, g.constant(kernel, 'float32', [3, 3, 3, 3])], { pads: [1, 1, 1, 1] });
      return g.op('Mul', [g.op('Tanh', [g.op('Mul', [conv, g.constant(6)])]), g.constant(0.1)]);
    };
    const outcome = await add('edges', picture(edges), '--range', '-1,1', '--meaning', 'residual');
    expect(outcome.code, outcome.stdout).toBe(0);
    expect((outcome.json as { notes: string[] }).notes.join('\n')).toMatch(
      /^range, mean and std: --range -1,1 was taken, but the residual gives another .* with --range 0,1 or /m,
    );
    // In every range, this one gives the same picture.
    const linear = (g: GraphWriter, x: Value): Value =>
      g.op('Sub', [
        x,
        g.op('AveragePool', [x], { kernel_shape: [3, 3], pads: [1, 1, 1, 1], count_include_pad: 1 }),
      ]);
    const same = await add('linear', picture(linear), '--range', '-1,1', '--meaning', 'residual');
    expect(same.code, same.stdout).toBe(0);
    expect((same.json as { notes: string[] }).notes.join('\n')).not.toContain('another plausible picture');
  });

  it('sets maxBatch to 1 if the pictures of a batch affect each other', async () => {
    // Stretched over the whole batch, not over each picture.
    const stretched = (g: GraphWriter, x: Value): Value => {
      const map = g.op('Sigmoid', [bright(g, x)]);
      const least = g.op('ReduceMin', [map], { keepdims: 0 });
      const distance = g.op('Sub', [g.op('ReduceMax', [map], { keepdims: 0 }), least]);
      // Not 0, as it would be for a plain picture by itself.
      const divisor = g.op('Max', [distance, g.constant(1e-6)]);
      return g.op('Div', [g.op('Sub', [map, least]), divisor]);
    };
    const model = (body: TinyModel['body']): Uint8Array =>
      tinyModel({ dims: ['N', 3, 96, 96], outputDims: ['N', 1, 96, 96], body });
    const options = ['--range', '0,1', '--meaning', 'alpha'];
    const mixed = await add('mixed', model(stretched), ...options);
    expect(mixed.code, mixed.stdout).toBe(0);
    expect(firstStage(mixed)).toMatchObject({ maxBatch: 1 });
    const independent = await add(
      'independent',
      model((g, x) => g.op('Sigmoid', [bright(g, x)])),
      ...options,
    );
    expect(firstStage(independent)).toMatchObject({ maxBatch: 4 });
  });

  it('reads the input range from the metadata of a model', async () => {
    const entry = joined([
      ...delimited(1, utf8('Image.NominalPixelRange')),
      ...delimited(2, utf8('Normalized_1_1')),
    ]);
    const g = new GraphWriter(17);
    g.output(bright(g, g.input('x', 'float32', [1, 3, 96, 96])), 'y', 'float32', [1, 1, 96, 96]);
    const model = joined([g.model(8, encodedOpset(17)), ...delimited(14, entry)]);
    const outcome = await add('metadata', model);
    expect(outcome.code, outcome.stdout).toBe(0);
    expect(firstStage(outcome)).toMatchObject({ input: { range: [-1, 1] } });
    expect(outcome.json).toMatchObject({ knownFrom: "the file's metadata" });
  });

  it('reads the normalization from the configuration of a Hugging Face repository', async () => {
    const config = {
      do_normalize: true,
      do_rescale: true,
      image_mean: MEAN,
      image_std: STD,
      rescale_factor: 1 / 255,
    };
    const path = join(models.path, 'preprocessor_config.json');
    await writeFile(path, JSON.stringify(config));
    const dims = [1, 3, 96, 96] as const;
    const model = tinyModel({ dims, outputDims: [1, 1, 96, 96], body: bright });
    const outcome = await add('configured', model);
    const ranged = await add('configured', model, '--range', '0,255');
    await writeFile(path, '{}');
    expect(outcome.code, outcome.stdout).toBe(0);
    expect(firstStage(outcome)).toMatchObject({ input: { range: [0, 1], mean: MEAN, std: STD } });
    await access(join(models.path, 'configured/1/manifest.json'));
    // An option replaces the whole normalization of the file.
    expect(ranged.code, ranged.stdout).toBe(0);
    expect(firstStage(ranged)['input']).not.toHaveProperty('mean');
    expect(ranged.json).not.toHaveProperty('knownFrom');
  });
});
