import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foldersAt, namedFolders } from './version-folders.js';
import { openVersion } from './version-name.js';

describe('the folders that a command means', () => {
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'version-folders-'));
    for (const name of ['models/upscale/1', 'models/upscale/10', 'models/denoise/3', 'other/upscale/7'])
      await mkdir(join(root, name), { recursive: true });
  });
  afterAll(() => rm(root, { recursive: true }));

  it.each([
    ['a version', 'upscale@10', ['upscale/10']],
    ['a version, as its folder', 'upscale/1', ['upscale/1']],
    ['an operation', 'upscale', ['upscale/10', 'upscale/1']],
  ])('are those of %s in the repository', async (_, text, expected) => {
    const models = join(root, 'models');
    expect(await namedFolders(models, text)).toEqual(expected.map((name) => join(models, name)));
  });

  it('are those of a folder elsewhere if there is such a folder', async () => {
    const other = join(root, 'other/upscale');
    expect(await namedFolders(join(root, 'models'), other)).toEqual([join(other, '7')]);
    expect(await namedFolders(join(root, 'models'), relative('.', other))).toEqual([join(other, '7')]);
  });

  it.each([
    ['upscale@2', 'There is no version 2 of upscale in MODELS; it has 1 and 10.'],
    ['upscale/2', 'There is no version 2 of upscale in MODELS; it has 1 and 10.'],
    ['colorize@1', 'There is no version of colorize in MODELS.'],
    ['colorize', 'There is no version of colorize in MODELS.'],
    ['/nowhere/models', 'The folder /nowhere/models cannot be read (ENOENT).'],
  ])('are not found for %s', async (text, expected) => {
    const models = join(root, 'models');
    await expect(namedFolders(models, text)).rejects.toThrow(expected.replace('MODELS', models));
  });
});

describe('a version that does not exist', () => {
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'version-folders-'));
    for (const name of ['upscale/1', 'upscale/2', 'upscale/10', 'upscale/5.bak', 'denoise/3'])
      await mkdir(join(root, name), { recursive: true });
  });
  afterAll(() => rm(root, { recursive: true }));

  it.each([
    ['upscale', '99', 'There is no version 99 of upscale in ROOT; it has 1, 2 and 10.'],
    ['denoise', '1', 'There is no version 1 of denoise in ROOT; it has 3.'],
    ['colorize', '1', 'There is no version of colorize in ROOT.'],
  ])('is told with the versions of %s that do', async (operation, version, expected) => {
    const message = expected.replace('ROOT', root);
    await expect(foldersAt(join(root, operation, version))).rejects.toThrow(message);
    await expect(openVersion(root, { operation, version })).rejects.toThrow(message);
  });

  it('is not confused with one that lacks its manifest', async () => {
    expect(await foldersAt(join(root, 'upscale/2'))).toEqual([join(root, 'upscale/2')]);
    await expect(openVersion(root, { operation: 'upscale', version: '2' })).rejects.toThrow(
      /^upscale@2 cannot be used: manifest\.json is missing/,
    );
  });
});
