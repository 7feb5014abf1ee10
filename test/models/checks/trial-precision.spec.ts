import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tinyModel } from '../../../src/models/testing/tiny-models.js';
import { runTrial } from '../../../src/models/swap/trial.js';
import { DenoiseVersions, FREE, same } from '../../support/models/denoise-versions.js';

let versions: DenoiseVersions;
beforeAll(async () => {
  versions = await DenoiseVersions.open();
});
afterAll(() => versions.remove());

it('a trial loads a version in the precision of the worker only', async () => {
  const broken = Buffer.from('not an ONNX file');
  const files = { 'm.onnx': tinyModel({ dims: FREE, body: same }), 'half.onnx': broken };
  const sha256 = createHash('sha256').update(broken).digest('hex');
  const folder = await versions.write(files, { fp16: { file: 'half.onnx', sha256, dtype: 'float32' } });
  const tried = (precision: 'float16' | 'float32') =>
    runTrial({ folder, device: 'cpu', threads: 1, precision });
  expect(await tried('float32')).toBeNull();
  expect(await tried('float16')).toMatchObject({ reason: expect.stringContaining('denoise/1/clean') });
});
