import fs from 'node:fs';
import { mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readCommandLine } from '../../../../clients/js/src/cli/arguments.js';
import { OutputPaths } from '../../../../clients/js/src/cli/output/output-path.js';

/** `enhance 'photos/*.jpg' -o done/ --force`, again. */
describe('results that are overwritten', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ies-overwritten-'));
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
    await rm(folder, { recursive: true });
  });

  const line = () => readCommandLine(['enhance', '--force', '-o', `${folder}/`]);
  const add = async (...names: string[]) => {
    const paths = names.map((name) => join(folder, name));
    for (const path of paths) await writeFile(path, path);
    return paths;
  };

  it('are compared with the sources without looking at each source for each result', async () => {
    const count = 60;
    const names = Array.from({ length: count }, (_, index) => `${index}`);
    const sources = await add(...names.map((name) => `${name}.jpg`));
    const results = await add(...names.map((name) => `${name}.auto_enhance.jpg`));
    // Only counts: the real function is called.
    const looks = vi.spyOn(fs, 'statSync');
    syncBuiltinESMExports();
    const paths = new OutputPaths(sources, line());
    expect(sources.map((source) => paths.of(source, 'jpeg'))).toEqual(results);
    expect(looks.mock.calls.length).toBeGreaterThanOrEqual(count);
    expect(looks.mock.calls.length).toBeLessThan(5 * count);
  });

  it('are never sources, not under another name, and not after one was replaced', async () => {
    const [a, b] = (await add('a.jpg', 'a.auto_enhance.png', 'other.png')) as [string, string];
    await symlink(a, join(folder, 'b.auto_enhance.jpg'));
    expect(() => new OutputPaths([a, join(folder, 'b.jpg')], line())).toThrow(/is a source/);
    const paths = new OutputPaths([a, b], line());
    await rename(join(folder, 'other.png'), b);
    expect(() => paths.of(a, 'png')).toThrow(/is a source and is never written over/);
  });
});
