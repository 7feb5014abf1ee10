import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addedEsrganSlim, writeEsrganSlim } from './esrgan-slim.js';
import { TAKES_OVER } from './install-version.js';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'ies-esrgan-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

it('says that it takes over from a lower version, and that it is there already', async () => {
  const added = async (version: number) => {
    const folder = join(root, 'upscale', String(version));
    await mkdir(folder, { recursive: true });
    await writeEsrganSlim(folder);
    return addedEsrganSlim(folder);
  };
  expect((await added(1)).text).toBe(`Installed: ${join(root, 'upscale/1')}`);
  const { text } = await added(2);
  expect(text).toContain('Look at files: version 1 has the same ones');
  expect(text).toContain(TAKES_OVER);
});
