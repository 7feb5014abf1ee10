import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/lib/paths.mjs';

const CLIENTS = join(ROOT, 'clients');

/** What a program wrote. @throws Error with its complaints when it fails */
function outputOf(program: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}:\n${stdout}${stderr}`);
  return stdout;
}

/** Paths that the pages of a package link to, and that the package lacks. */
async function deadLinks(folder: string, files: readonly string[]): Promise<string[]> {
  const folders = new Set(files.map((file) => posix.dirname(file)));
  const dead: string[] = [];
  for (const page of files.filter((file) => file.endsWith('.md'))) {
    const text = await readFile(join(folder, page), 'utf8');
    for (const [, target] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      const [path] = target!.split('#') as [string];
      if (/^https?:/.test(path) || path === '') continue;
      const found = posix.join(posix.dirname(page), path);
      if (!files.includes(found) && !folders.has(found)) dead.push(`${page}: ${target}`);
    }
  }
  return dead;
}

/** People read these pages where they have installed or unpacked the package, without this repository around them. */
describe('the packages of the clients', { timeout: 60_000 }, () => {
  const PAGES = ['README.md', 'CHANGELOG.md', 'docs/command-line.md', 'docs/reference.md'];

  it('JavaScript: has every page and what its pages link to', async () => {
    const folder = join(CLIENTS, 'js');
    const args = ['pack', '--dry-run', '--ignore-scripts', '--json'];
    const [packed] = JSON.parse(outputOf('npm', args, folder)) as [{ files: { path: string }[] }];
    const files = packed.files.map(({ path }) => path);
    expect(files).toEqual(expect.arrayContaining(PAGES));
    expect(await deadLinks(folder, files)).toEqual([]);
  });

  const hasSetuptools = spawnSync('python3', ['-c', 'import setuptools']).status === 0;
  describe.skipIf(!hasSetuptools)('Python (needs the module "setuptools")', () => {
    let copy: string;
    beforeAll(async () => {
      // Building leaves files beside the sources.
      copy = await mkdtemp(join(tmpdir(), 'ies-sdist-'));
      await cp(join(CLIENTS, 'python'), copy, { recursive: true });
    });
    afterAll(() => rm(copy, { recursive: true, force: true }));

    it('has every page and what its pages link to', async () => {
      const build = [
        'import tarfile',
        'from setuptools import build_meta',
        'name = build_meta.build_sdist("out")',
        'print("FILES", *tarfile.open(f"out/{name}").getnames(), sep="\\n")',
      ].join('\n');
      const written = outputOf('python3', ['-c', build], copy).split('FILES\n')[1]!;
      const files = written
        .trim()
        .split('\n')
        .map((path) => path.split('/').slice(1).join('/'));
      expect(files).toEqual(expect.arrayContaining(PAGES));
      expect(await deadLinks(copy, files)).toEqual([]);
    });
  });

  it('tell the same of the JSON that both command lines give', async () => {
    const read = (language: string) => readFile(join(CLIENTS, language, 'docs', 'command-line.md'), 'utf8');
    expect(await read('python')).toBe(await read('js'));
  });
});
