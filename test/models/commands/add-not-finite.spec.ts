import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GraphWriter, Value } from '../../../src/models/compose/graph-writer.js';
import { type TinyModel, tinyModel } from '../../../src/models/testing/tiny-models.js';
import { type CommandOutcome, runModelsCommand } from '../../support/models/models-command.js';
import { type ModelsDir, temporaryModels } from '../../support/models/models-dir.js';

const FREE = ['N', 3, 'H', 'W'] as const;

/** The picture, but NaN where it is darker than this. */
const notBelow =
  (least: number): TinyModel['body'] =>
  (g, x) => {
    const root = g.op('Sqrt', [g.op('Sub', [x, g.constant(least)])]);
    return g.op('Add', [x, g.op('Mul', [root, g.constant(0)])]);
  };

/** A map that is NaN everywhere. */
const emptyMap = (g: GraphWriter, x: Value): Value =>
  g.op('Mul', [g.op('ReduceMean', [x], { axes: [1], keepdims: 1 }), g.constant(NaN)]);

describe('models add refuses a model whose numbers are not finite', () => {
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

  it('with the given range, and says so', async () => {
    const model = tinyModel({ dims: FREE, body: notBelow(0.5) });
    const outcome = await add('dark', model, '--range', '0,1', '--meaning', 'image', '--output-range', '0,1');
    expect(outcome.code, outcome.stdout).toBe(1);
    expect(outcome.stdout + outcome.stderr).toMatch(
      /not finite \(NaN or infinite\) for drawn pictures\. Correct --range, --mean and --std, or the model\./,
    );
    expect(await readdir(models.path)).not.toContain('dark');
  });

  it.each([
    ['picture', tinyModel({ dims: FREE, body: notBelow(300) })],
    ['map', tinyModel({ dims: FREE, outputDims: ['N', 1, 'H', 'W'], body: emptyMap })],
  ])('with every usual range, instead of asking for a choice: %s', async (name, model) => {
    const outcome = await add(name, model);
    expect(outcome.code, outcome.stdout).toBe(1);
    expect(outcome.stdout + outcome.stderr).toMatch(/not finite \(NaN or infinite\) for drawn pictures/);
    expect(outcome.stdout).not.toContain('candidates');
  });
});
