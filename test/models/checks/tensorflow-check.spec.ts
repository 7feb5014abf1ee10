import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkVersion } from '../../../src/models/check/check-version.js';
import { loadCatalog } from '../../../src/models/repository/load-catalog.js';
import { everyLevel } from '../../../src/models/testing/tiny-models.js';
import { Enhancer } from '../../../src/inference/enhancer.js';
import { ensureFlowBuild } from '../../support/roles/flow-build.js';
import { type ModelsDir, temporaryModels } from '../../support/models/models-dir.js';
import {
  graphFiles,
  layersFiles,
  type TensorflowFiles,
  writeTensorflowVersion,
} from '../../support/models/tensorflow-models.js';

const SIZE = 32;
const render = { kind: 'render', tile: 32, halo: 4, scale: 1 };

let models: ModelsDir;
let version = 0;
beforeAll(async () => {
  await ensureFlowBuild();
  models = await temporaryModels();
});
afterAll(() => models.remove());

const MATTE_STAGES = {
  subject: { kind: 'analyse', size: SIZE, outputs: { alpha: [1, SIZE, SIZE] } },
  cut: { kind: 'matte', analyse: 'subject', map: 'alpha', tile: 32 },
};

async function verdictOn(files: TensorflowFiles, of: 'render' | 'analyse'): Promise<string> {
  version += 1;
  const [operation, stages, levels] =
    of === 'render'
      ? ['denoise', { clean: render }, everyLevel({ strength: 1, render: 'clean' })]
      : ['cut_out', MATTE_STAGES, everyLevel({ strength: 1, analyse: 'subject', render: 'cut' })];
  const folder = await writeTensorflowVersion(files, {
    modelsDir: models.path,
    operation,
    version,
    stages,
    levels,
  });
  const verdict = await checkVersion(folder);
  return verdict.ok ? 'it was accepted' : verdict.refusal.message;
}

interface Convolution {
  /** The size of its map; null for a picture of any size. */
  readonly size: number | null;
  /** The value of all weights. */
  readonly weight?: number;
  /** The variance of the normalization before it. */
  readonly variance?: number;
  readonly activation?: 'linear' | 'relu6';
}

/** A functional model with a normalization and a 1 × 1 convolution. */
function convolution(given: Convolution): Promise<TensorflowFiles> {
  const { size, weight = 1 / 3, variance = 1, activation = 'linear' } = given;
  return layersFiles((tfl) => {
    const constant = (value: number) => tfl.initializers.constant({ value });
    const input = tfl.input({ shape: [size, size, 3] });
    const filters = size === null ? 3 : 1;
    const layers = [
      tfl.layers.batchNormalization({ movingVarianceInitializer: constant(variance) }),
      tfl.layers.conv2d({ filters, kernelSize: 1, activation, kernelInitializer: constant(weight) }),
      ...(size === null ? [] : [tfl.layers.reshape({ targetShape: [1, size, size] })]),
    ];
    const result = layers.reduce((x, layer) => layer.apply(x) as typeof x, input);
    return tfl.model({ inputs: input, outputs: result });
  });
}

describe('checkVersion of TensorFlow.js models', () => {
  const notFinite = /is not served: the stage \w+ gives numbers that are not finite \(NaN or infinite\) for/;

  describe.each([
    ['render', null],
    ['analyse', SIZE],
  ] as const)('a stage of kind %s', (kind, size) => {
    it('is accepted when its numbers are finite', async () => {
      expect(await verdictOn(await convolution({ size }), kind)).toBe('it was accepted');
      expect(await verdictOn(await convolution({ size, activation: 'relu6' }), kind)).toBe('it was accepted');
    });

    it('is refused when it returns NaN', async () => {
      expect(await verdictOn(await convolution({ size, variance: -4 }), kind)).toMatch(notFinite);
    });

    it('is refused for NaN weights, even if clipping hides them', async () => {
      for (const activation of ['linear', 'relu6'] as const)
        expect(await verdictOn(await convolution({ size, weight: NaN, activation }), kind)).toMatch(
          /is not served: .* fails when it is loaded: its weights conv2d\S*\/kernel are not finite \(NaN\); correct the model/,
        );
    });
  });

  it('refuses graph models whose numbers are NaN or infinite for black pixels only', async () => {
    expect(await verdictOn(graphFiles('Mul', 0.5), 'render')).toBe('it was accepted');
    expect(await verdictOn(graphFiles('RealDiv', 0), 'render')).toMatch(notFinite);
    expect(await verdictOn(graphFiles('RealDiv', 0.5), 'render')).toMatch(notFinite);
  });

  it('accepts a Sequential model that can serve', async () => {
    const files = await layersFiles((tfl) =>
      tfl.sequential({
        layers: [
          tfl.layers.conv2d({
            inputShape: [null, null, 3],
            filters: 3,
            kernelSize: 1,
            kernelInitializer: tfl.initializers.constant({ value: 1 / 6 }),
          }),
          tfl.layers.upSampling2d({ size: [2, 2] }),
        ],
      }),
    );
    const folder = await writeTensorflowVersion(
      files,
      { modelsDir: models.path, operation: 'upscale', stages: { x2: { ...render, scale: 2 } } },
      [0, 255],
    );
    const verdict = await checkVersion(folder);
    expect(verdict.ok ? 'it was accepted' : verdict.reason).toBe('it was accepted');

    const route = (await loadCatalog(models.path)).route('upscale', 'low')!;
    const enhancer = await Enhancer.start({
      catalog: { routes: () => [route] },
      device: 'cpu',
      threads: 1,
      onDeath: (error) => {
        throw error;
      },
    });
    try {
      const data = new Uint8Array(40 * 17 * 4).map((_, at) => [30, 60, 90, 255][at & 3]!);
      const result = await enhancer.render(route, { data, width: 40, height: 17, channels: 4 }, null);
      expect([result.width, result.height, result.channels]).toEqual([80, 34, 4]);
      // Half the mean of the colors.
      const unlike = result.data.filter((value, at) => value !== ((at & 3) === 3 ? 255 : 30));
      expect(unlike).toHaveLength(0);
    } finally {
      await enhancer.close();
    }
  });
});
