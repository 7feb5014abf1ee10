import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TinyVersion } from '../../../src/models/testing/tiny-models.js';

/** The folder of third-party files, where it exists. */
export const THIRD_PARTY = '../shared/data/models';
export const X3_FILE = join(THIRD_PARTY, 'pytorch_super_resolution_core_x3_224.onnx');

/** The luminance ×3 model as `upscale/2`, through its manifest only. */
export function x3Version(modelsDir: string): TinyVersion {
  const [layout, dtype, channels, range] = ['NCHW', 'float32', 'Y', [0, 1]] as const;
  return {
    modelsDir,
    operation: 'upscale',
    version: 2,
    files: { 'super-resolution.onnx': readFileSync(X3_FILE) },
    stages: {
      x3: {
        kind: 'render',
        file: 'super-resolution.onnx',
        tile: 192,
        halo: 16,
        scale: 3,
        maxBatch: 1,
        input: {
          name: 'input',
          layout,
          dtype,
          channels,
          range,
          size: { mode: 'fixed', height: 224, width: 224 },
        },
        output: { name: 'output', layout, dtype, meaning: 'image', channels, range },
      },
    },
    manifest: { name: 'pytorch-super-resolution', license: 'MIT' },
  };
}
