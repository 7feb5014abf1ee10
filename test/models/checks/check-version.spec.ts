import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkVersion } from '../../../src/models/check/check-version.js';
import type { GraphWriter, Value } from '../../../src/models/compose/graph-writer.js';
import { externalModel } from '../../../src/models/testing/external-model.js';
import { tinyModel } from '../../../src/models/testing/tiny-models.js';
import { DenoiseVersions, FREE, reasonOf, refusal, same } from '../../support/models/denoise-versions.js';

let versions: DenoiseVersions;
beforeAll(async () => {
  versions = await DenoiseVersions.open();
});
afterAll(() => versions.remove());

describe('checkVersion', () => {
  it('accepts a version that matches its manifest, and reports what ran', async () => {
    const verdict = await checkVersion(await versions.make({ dims: FREE, body: same }));
    expect(verdict).toMatchObject({
      ok: true,
      operation: 'denoise',
      version: versions.version,
      model: { name: 'tiny', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      stages: [{ stage: 'clean', composed: true, graphSha256: expect.stringMatching(/^[0-9a-f]{64}$/) }],
    });
    expect(verdict.ok && verdict.stages[0]!.shapes).toEqual([
      '1×72×72×3',
      '1×72×72×4',
      '2×72×72×4',
      '1×40×40×3',
      '2×40×40×3',
      '1×40×40×4',
    ]);
  });

  it('also tries the half-precision file, if there is one', async () => {
    const half = { dims: FREE, type: 'float16', body: same } as const;
    const files = { 'm.onnx': tinyModel({ dims: FREE, body: same }), 'half.onnx': tinyModel(half) };
    const sha256 = createHash('sha256').update(files['half.onnx']).digest('hex');
    const write = (dtype: string): Promise<string> =>
      versions.write(files, { fp16: { file: 'half.onnx', sha256, dtype } });
    const verdict = await checkVersion(await write('float16'));
    expect(verdict).toMatchObject({ ok: true, stages: [{ stage: 'clean' }, { stage: 'clean (fp16)' }] });
    expect(await refusal(await write('float32'))).toContain('is float16, the manifest says float32');
  });

  it('also tries the 8-bit integer file, if there is one', async () => {
    const files = {
      'm.onnx': tinyModel({ dims: FREE, body: same }),
      'integers.onnx': tinyModel({ dims: FREE, body: same }),
    };
    const sha256 = createHash('sha256').update(files['integers.onnx']).digest('hex');
    const folder = await versions.write(files, { int8: { file: 'integers.onnx', sha256 } });
    expect(await checkVersion(folder)).toMatchObject({
      ok: true,
      stages: [{ stage: 'clean' }, { stage: 'clean (int8)' }],
    });
  });

  it('finds and hashes weights stored outside the graph', async () => {
    const weight = new Uint8Array(Float32Array.of(0.5).buffer);
    const sha256 = createHash('sha256').update(weight).digest('hex');
    const files = { 'm.onnx': externalModel('m.data'), 'm.data': weight };
    const folder = await versions.write(files, { external: { 'm.data': sha256 } });
    expect(reasonOf(await checkVersion(folder))).toBe('it was accepted');
    await writeFile(join(folder, 'm.data'), Buffer.alloc(4));
    expect(await refusal(folder)).toContain('the file m.data of stage clean has sha256');
  });

  describe('with golden images', () => {
    it('accepts results that match the golden image, and refuses others', async () => {
      const darker = {
        dims: FREE,
        body: (g: GraphWriter, x: Value): Value => g.op('Mul', [x, g.constant(0.5)]),
      };
      const golden = [{ before: 'before.png', after: 'after.png', level: 'low' }];
      const folder = await versions.make(darker, {}, { golden });
      expect(await refusal(folder)).toContain('the golden image before.png is missing; restore it');
      await versions.models.png(join(folder, 'before.png'), 40, 30, 100);
      await versions.models.png(join(folder, 'after.png'), 40, 30, 50);
      expect(reasonOf(await checkVersion(folder))).toBe('it was accepted');
      await versions.models.png(join(folder, 'after.png'), 40, 30, 54);
      expect(await refusal(folder)).toMatch(/differs from after\.png by 4 of 255, 2 are allowed/);
      await versions.models.png(join(folder, 'after.png'), 41, 30, 50);
      expect(await refusal(folder)).toMatch(/becomes 40×30×4 at level low, after\.png is 41×30×4/);
    });
  });
});
