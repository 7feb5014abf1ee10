import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkVersion } from '../../../src/models/check/check-version.js';
import type { GraphWriter, Value } from '../../../src/models/compose/graph-writer.js';
import { everyLevel, tinyModel, writeVersion } from '../../../src/models/testing/tiny-models.js';
import { FREE, INPUT, OUTPUT, reasonOf, refusal, same } from '../../support/models/denoise-versions.js';
import { type ModelsDir, temporaryModels } from '../../support/models/models-dir.js';

const SIZE = 64;
const FIND = {
  kind: 'analyse',
  file: 'find.onnx',
  size: SIZE,
  outputs: { map: [1, SIZE, SIZE] },
  input: INPUT,
  output: { name: 'y', layout: 'NCHW', dtype: 'float32', meaning: 'alpha', range: [0, 1] },
};
const CLEAN = { kind: 'render', file: 'm.onnx', tile: 64, halo: 4, scale: 1, input: INPUT, output: OUTPUT };
const LEVELS = everyLevel({ strength: 1, analyse: 'find', render: 'clean' });

const inverted = (g: GraphWriter, x: Value): Value => g.op('Sub', [g.constant(1), x]);
const firstChannel = (g: GraphWriter, x: Value): Value => g.op('ReduceMean', [x], { axes: [1], keepdims: 1 });

describe('a stage that skips tiles', () => {
  let models: ModelsDir;
  let version = 0;
  beforeAll(async () => {
    models = await temporaryModels();
  });
  afterAll(() => models.remove());

  const make = (
    body: (g: GraphWriter, x: Value) => Value,
    changes: Readonly<Record<string, unknown>> = {},
    levels = LEVELS,
  ): Promise<string> =>
    writeVersion({
      modelsDir: models.path,
      operation: 'denoise',
      version: (version += 1),
      files: {
        'find.onnx': tinyModel({ dims: FREE, body: firstChannel }),
        'm.onnx': tinyModel({ dims: FREE, body }),
      },
      stages: { find: FIND, clean: { ...CLEAN, skipWhereZero: 'map', ...changes } },
      levels,
    });

  it('is accepted when it changes no pixel where the map is 0', async () => {
    expect(reasonOf(await checkVersion(await make(same)))).toBe('it was accepted');
  });

  it('is refused when it changes such a pixel', async () => {
    expect(await refusal(await make(inverted))).toContain(
      'the stage clean changes pixels where map is 0; remove its skipWhereZero',
    );
  });

  it('is refused when a level does not provide the map', async () => {
    expect(await refusal(await make(same, { skipWhereZero: 'skin' }))).toContain(
      'levels.low.analyse must name a stage with the output skin of shape [C, size, size], by which the stage clean skips tiles, not "find"',
    );
    const levels = everyLevel({ strength: 1, render: 'clean' });
    expect(await refusal(await make(same, {}, levels))).toContain(
      'by which the stage clean skips tiles, not "nothing"',
    );
  });

  it('is refused when it upscales', async () => {
    expect(await refusal(await make(same, { scale: 2 }))).toContain(
      'stages.clean.skipWhereZero must be removed: the scale is 2, not 1',
    );
  });
});
