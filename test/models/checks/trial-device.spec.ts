import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readVersion } from '../../../src/models/repository/read-version.js';
import type { ModelFault } from '../../../src/models/swap/model-fault.js';
import { versionTrial } from '../../../src/models/swap/version-trial.js';
import { DenoiseVersions, FREE, same } from '../../support/models/denoise-versions.js';

const CONFIG = {
  modelCheckMemoryBytes: 4e9,
  precision: 'float32',
  tritonUrls: [],
  tritonTimeoutMs: 1_000,
  tritonConcurrency: 1,
} as const;
const NO_CUDA = /^The stage denoise\/1\/clean .* does not run on cuda: /;

describe.skipIf(existsSync('/dev/nvidiactl'))(
  'a version that does not run on the device of its trial',
  () => {
    let versions: DenoiseVersions;
    let folder: string;
    beforeAll(async () => {
      versions = await DenoiseVersions.open();
      folder = await versions.make({ dims: FREE, body: same });
    });
    afterAll(() => versions.remove());

    async function trial(isUsable?: () => Promise<boolean>): Promise<ModelFault | null> {
      const run = versionTrial(CONFIG, { device: 'cuda', isGuess: true }, isUsable);
      return run(await readVersion(folder), new AbortController().signal);
    }

    it('is refused for good if other models run there, although it runs on the CPU', async () => {
      const fault = await trial(async () => true);
      expect(fault).toEqual({ reason: expect.stringMatching(NO_CUDA), isTransient: false });
      expect(fault?.reason).not.toMatch('INFERENCE_DEVICE');
    });

    it('is refused for the time being if the device does not work at all', async () => {
      expect(await trial()).toEqual({ reason: expect.stringMatching(NO_CUDA), isTransient: true });
    });
  },
);
