import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foldersAt } from './version-folders.js';
import { openVersion } from './version-name.js';

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
      /^upscale@2 cannot be used: manifest\.json cannot be read/,
    );
  });
});
