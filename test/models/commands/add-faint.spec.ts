import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GraphWriter, Value } from '../../../src/models/compose/graph-writer.js';
import { type TinyModel, tinyModel } from '../../../src/models/testing/tiny-models.js';
import { type CommandOutcome, runModelsCommand } from '../../support/models/models-command.js';
import { type ModelsDir, temporaryModels } from '../../support/models/models-dir.js';

const FREE = ['N', 3, 'H', 'W'] as const;

/** The part of a picture that its neighbors do not explain. */
const detail = (g: GraphWriter, x: Value): Value => {
  const kernel = Array.from({ length: 9 }, (_, at) => (at === 4 ? 8 / 9 : -1 / 9));
  const weights = g.constant([...kernel, ...kernel, ...kernel], 'float32', [3, 1, 3, 3]);
  return g.op('Conv', [x, weights], { kernel_shape: [3, 3], pads: [1, 1, 1, 1], group: 3 });
};

const clipped = (g: GraphWriter, value: Value, least: number, most: number): Value =>
  g.op('Clip', [value, g.constant(least), g.constant(most)]);

/** Removes noise of up to 1 of 255. */
const coring = (g: GraphWriter, x: Value): Value =>
  clipped(g, g.op('Sub', [x, clipped(g, detail(g, x), -0.004, 0.004)]), 0, 1);

const sharpened =
  (share: number): TinyModel['body'] =>
  (g, x) =>
    clipped(g, g.op('Add', [x, g.op('Mul', [detail(g, x), g.constant(share)])]), 0, 1);

const bicubic = (g: GraphWriter, x: Value): Value =>
  g.op('Resize', [x, g.constant([], 'float32'), g.constant([1, 1, 2, 2])], {
    mode: 'cubic',
    cubic_coeff_a: { float: -0.5 },
    coordinate_transformation_mode: 'half_pixel',
  });

describe('models add, for a model that hardly changes a clean picture,', () => {
  let models: ModelsDir;
  beforeAll(async () => {
    models = await temporaryModels();
  });
  afterAll(() => models.remove());

  async function add(name: string, body: TinyModel['body'], ...options: string[]): Promise<CommandOutcome> {
    const path = join(models.path, `${name}.onnx`);
    await writeFile(path, tinyModel({ dims: FREE, outputDims: null, body }));
    return runModelsCommand(['add', path, '--operation', name, ...options, '--json'], models.path);
  }

  const outputOf = ({ json }: CommandOutcome): unknown =>
    (json as { manifest: { stages: { picture: { output: unknown } } } }).manifest.stages.picture.output;

  it.each<[string, TinyModel['body']]>([
    ['coring', coring],
    ['faint', sharpened(0.02)],
    ['bicubic', bicubic],
  ])('does not take the swap of red and blue for its work, but asks: %s', async (name, body) => {
    const asked = await add(name, body);
    expect(asked.code, asked.stdout).toBe(1);
    expect(asked.json).toMatchObject({ ok: false });
    const given = await add(name, body, '--range', '0,1', '--meaning', 'image', '--output-range', '0,1');
    expect(given.code, given.stdout).toBe(0);
    expect(outputOf(given)).toMatchObject({ meaning: 'image', range: [0, 1], channels: 'RGB' });
  });

  it('says how many candidates there are, and that a further version takes over at once', async () => {
    const path = join(models.path, 'twice.onnx');
    await writeFile(path, tinyModel({ dims: FREE, outputDims: null, body: coring }));
    const command = ['add', path, '--operation', 'twice'];
    const asked = await runModelsCommand(command, models.path);
    expect(asked.stdout).toMatch(/^Candidates, the best 8 of \d+:$/m);
    expect(asked.stdout).toContain('If it is none of these, pass what you know');
    const options = ['--range', '0,1', '--meaning', 'image', '--output-range', '0,1'];
    const first = await runModelsCommand([...command, ...options], models.path);
    expect(first.stdout).not.toContain('gives this version to all customers');
    const second = await runModelsCommand([...command, ...options], models.path);
    expect(second.stdout).toMatch(
      /^Look at files: version 1 has the same ones\. Remove .*\/twice\/2 if you do/m,
    );
    expect(second.stdout).toMatch(/A running service gives this version to all customers now, unless/);
  });

  it('says at which levels a further version changes the size of results', async () => {
    const options = ['--range', '0,1', '--meaning', 'image', '--output-range', '0,1'];
    expect((await add('resized', coring, ...options)).code).toBe(0);
    const second = await add('resized', bicubic, ...options);
    const sizes = 'low ×2 instead of ×1, medium ×2 instead of ×1, high ×2 instead of ×1';
    const note = `scale: results differ in size from those of version 1: ${sizes}.`;
    expect((second.json as { notes: readonly string[] }).notes).toContain(note);
    const third = await add('resized', bicubic, ...options);
    expect(third.code).toBe(0);
    expect(third.stdout).not.toContain('differ in size');
  });

  it('still finds out how a model is read whose work shows', async () => {
    const outcome = await add('strong', sharpened(0.6));
    expect(outcome.code, outcome.stdout).toBe(0);
    expect(outputOf(outcome)).toMatchObject({ meaning: 'image', range: [0, 1], channels: 'RGB' });
  });
});
