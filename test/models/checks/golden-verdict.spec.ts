import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ModelVerdicts } from '../../../src/models/swap/model-verdicts.js';
import { servingCatalog } from '../../../src/models/swap/serving-catalog.js';
import { checkVersion } from '../../../src/models/check/check-version.js';
import { MemoryVerdicts } from '../../../src/models/testing/memory-verdicts.js';
import { tinyModel, writeVersion } from '../../../src/models/testing/tiny-models.js';
import { ensureFlowBuild } from '../../support/roles/flow-build.js';
import { type ModelsDir, temporaryModels } from '../../support/models/models-dir.js';

const tensor = { layout: 'NCHW', dtype: 'float32', channels: 'RGB', range: [0, 1] };
const darken = {
  kind: 'render',
  file: 'm.onnx',
  tile: 64,
  halo: 4,
  scale: 1,
  input: { ...tensor, name: 'x', size: { mode: 'any' } },
  output: { ...tensor, name: 'y', meaning: 'image' },
};

describe('the verdict on a version with golden images', () => {
  let models: ModelsDir;
  let folder: string;
  let store: MemoryVerdicts;
  let tried = 0;
  beforeAll(() => ensureFlowBuild());
  beforeEach(async () => {
    models = await temporaryModels();
    store = new MemoryVerdicts();
    tried = 0;
    folder = await writeVersion({
      modelsDir: models.path,
      operation: 'darken',
      files: {
        'm.onnx': tinyModel({
          dims: ['N', 3, 'H', 'W'],
          body: (g, x) => g.op('Mul', [x, g.constant(0.5)]),
        }),
      },
      stages: { darken },
      manifest: { golden: [{ before: 'before.png', after: 'after.png', level: 'low' }] },
    });
    await models.png(join(folder, 'before.png'), 40, 30, 100);
    await models.png(join(folder, 'after.png'), 40, 30, 90);
  });
  afterEach(() => models.remove());

  const verdictsOfNextStart = (): ModelVerdicts =>
    new ModelVerdicts(store, { device: 'cpu', memoryLimitBytes: 8e9 });

  /** The messages of all refusals. */
  async function refused(verdicts: ModelVerdicts): Promise<readonly string[]> {
    const { refusals } = await servingCatalog({
      modelsDir: models.path,
      verdicts,
      also: [],
      isTrialNeeded: () => true,
      runTrial: async (version) => {
        tried += 1;
        const verdict = await checkVersion(version.folder);
        return verdict.ok ? null : verdict;
      },
    });
    return refusals.map(({ message }) => message);
  }

  it('is kept until a golden image is repaired, then renewed', async () => {
    const verdicts = verdictsOfNextStart();
    const refusal = expect.stringMatching(/differs from after\.png by 40 of 255, 2 are allowed/);
    expect(await refused(verdicts)).toEqual([refusal]);
    expect(await refused(verdictsOfNextStart())).toEqual([refusal]);
    expect(tried).toBe(1);

    await models.png(join(folder, 'after.png'), 40, 30, 50);
    expect(await refused(verdicts)).toEqual([]);
    expect(await refused(verdictsOfNextStart())).toEqual([]);
    expect(tried).toBe(2);
  });
});
