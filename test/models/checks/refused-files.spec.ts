import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tinyModel } from '../../../src/models/testing/tiny-models.js';
import { DenoiseVersions, FREE, refusal, same } from '../../support/models/denoise-versions.js';

let versions: DenoiseVersions;
beforeAll(async () => {
  versions = await DenoiseVersions.open();
});
afterAll(() => versions.remove());

describe('checkVersion refuses files that do not match the manifest', () => {
  it('a flipped bit', async () => {
    const folder = await versions.make({ dims: FREE, body: same });
    const path = join(folder, 'm.onnx');
    const bytes = await readFile(path);
    bytes[bytes.length >> 1]! ^= 1;
    await writeFile(path, bytes);
    expect(await refusal(folder)).toMatch(
      /m\.onnx of stage clean has sha256 .* but the manifest says .*; restore the file/,
    );
  });

  it('a truncated file, whatever its hash', async () => {
    const folder = await versions.make({ dims: FREE, body: same });
    await truncate(join(folder, 'm.onnx'), 40);
    expect(await refusal(folder)).toContain('restore the file');
    const cut = await versions.make(tinyModel({ dims: FREE, body: same }).subarray(0, 100));
    expect(await refusal(cut)).toMatch(
      /m\.onnx of stage clean is not an ONNX model or is cut off; copy it again/,
    );
  });

  it('a missing file and a missing manifest', async () => {
    const folder = await versions.make({ dims: FREE, body: same });
    await rm(join(folder, 'm.onnx'));
    expect(await refusal(folder)).toContain('m.onnx of stage clean is missing; restore it');
    await rm(join(folder, 'manifest.json'));
    expect(await refusal(folder)).toContain('manifest.json is missing; add it or remove the folder');
  });

  it('an invalid manifest', async () => {
    const folder = await versions.make({ dims: FREE, body: same }, { scale: 9 });
    expect(await refusal(folder)).toContain('stages.clean.scale must be a whole number from 1 to 8, not 9');
  });
});
