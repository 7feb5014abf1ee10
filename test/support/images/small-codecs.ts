import { join } from 'node:path';
import { workerCodecs } from '../../../src/app/worker/worker-codecs.js';
import type { ImageCodecs } from '../../../src/infra/image/image-codecs.js';
import type { Scratch } from '../../../src/infra/storage/scratch.js';
import type { RoleSettings } from '../../../src/roles/role-settings.js';

const MAX_PIXELS = 1_000_000;

/** The codecs of a worker for one job at a time and small images. `scratch` is in the folder `scratch` of `dataDir`. */
export function smallCodecs(dataDir: string, scratch: Scratch): ImageCodecs {
  const config = {
    workerConcurrency: 1,
    codecMemoryBytes: 800_000_000,
    dataDir,
    maxInputPixels: MAX_PIXELS,
    maxOutputPixels: MAX_PIXELS,
    decodeTimeoutMs: 20_000,
    decodeTimeoutMsPerMegapixel: 500,
  };
  const settings = { config, scratchDir: join(dataDir, 'scratch') } as unknown as RoleSettings;
  return workerCodecs(settings, scratch);
}
