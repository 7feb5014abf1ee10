import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadCatalog } from '../../../models/repository/load-catalog.js';
import { readVersion } from '../../../models/repository/read-version.js';
import { exportVersion, writeRemoteVersion } from './export-version.js';

const MODELS = join(import.meta.dirname, '../../../../models');
const upscale = (await loadCatalog(MODELS)).servingVersion('upscale')!;

describe('exported versions', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'ies-export-'));
  });
  afterEach(() => rm(dir, { recursive: true }));

  it.each([
    ['fp32', 'x4.onnx'],
    ['fp16', 'x4.fp16.onnx'],
  ] as const)(
    'in %s contain %s at the path where the server expects the version',
    async (precision, file) => {
      const exported = await exportVersion(upscale, { dir, precision, instances: 1 });
      expect(exported.map(({ model }) => model).toSorted()).toEqual([
        'upscale.x2-best',
        'upscale.x2-fast',
        'upscale.x4',
      ]);
      expect((await readdir(join(dir, 'upscale.x4'))).toSorted()).toEqual(['1', 'config.pbtxt']);
      const copy = await readFile(join(dir, 'upscale.x4', '1', 'model.onnx'));
      expect(copy.equals(await readFile(join(MODELS, 'upscale', '1', file)))).toBe(true);
    },
  );

  it('can be written again, but never overwrite a different configuration', async () => {
    const options = { dir, precision: 'fp32', instances: 1 } as const;
    await exportVersion(upscale, options);
    await exportVersion(upscale, options);
    const path = join(dir, 'upscale.x4', 'config.pbtxt');
    await writeFile(path, 'name: "mine"');
    await expect(exportVersion(upscale, options)).rejects.toThrow(`${path} is another configuration.`);
    expect(await readFile(path, 'utf8')).toBe('name: "mine"');
  });

  it('have a remote counterpart that keeps the promises of the local version', async () => {
    const twin = await readVersion(await writeRemoteVersion(upscale, dir));
    expect([twin.isRemote, upscale.isRemote]).toEqual([true, false]);
    expect(twin.routes.high.render).toMatchObject({
      engine: 'triton',
      remote: { engine: 'triton', model: 'upscale.x4', version: 1 },
      tile: upscale.routes.high.render.tile,
    });
    expect(twin.keepsPromisesOf(upscale)).toBe(true);
    expect(twin.identity.sha256).not.toBe(upscale.identity.sha256);
  });
});
