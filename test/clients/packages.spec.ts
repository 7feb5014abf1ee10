import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Usage } from '../../clients/js/src/generated/schema.js';
import { ROOT } from '../../scripts/lib/paths.mjs';
import { PLAN_LIMITS } from '../../src/kernel/plans.js';
import { codeBlock } from '../support/source/code-blocks.js';

const CLIENTS = join(ROOT, 'clients');

/** The output of a program. @throws Error with that output when the program fails */
function outputOf(program: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}:\n${stdout}${stderr}`);
  return stdout;
}

/** Paths that the pages of a package link to but that the package lacks. */
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

/** People read these pages in the installed or unpacked package, without this repository around it. */
describe('the packages of the clients', () => {
  const PAGES = ['README.md', 'CHANGELOG.md', 'docs/command-line.md', 'docs/reference.md'];

  it('JavaScript: includes every page and every link target', async () => {
    const folder = join(CLIENTS, 'js');
    const args = ['pack', '--dry-run', '--ignore-scripts', '--json'];
    const [packed] = JSON.parse(outputOf('npm', args, folder)) as [{ files: { path: string }[] }];
    const files = packed.files.map(({ path }) => path);
    expect(files).toEqual(expect.arrayContaining(PAGES));
    expect(await deadLinks(folder, files)).toEqual([]);
  });

  it('JavaScript: has no script that npm warns about when the package is installed from a file or folder', async () => {
    const { scripts } = JSON.parse(await readFile(join(CLIENTS, 'js', 'package.json'), 'utf8')) as {
      scripts: object;
    };
    expect(Object.keys(scripts)).toEqual(['build', 'prepack']);
  });

  const backend = mkdtempSync(join(tmpdir(), 'ies-flit-'));
  const install = ['-m', 'pip', 'install', '--quiet', '--target', backend, 'flit_core>=3.4,<4'];
  const hasBackend = spawnSync('python3', install, { timeout: 60_000 }).status === 0;
  afterAll(() => rm(backend, { recursive: true, force: true }));

  describe.skipIf(!hasBackend)('Python (needs pip and a package index)', () => {
    let copy: string;
    let out: string;
    beforeAll(async () => {
      [copy, out] = [await mkdtemp(join(tmpdir(), 'ies-sdist-')), await mkdtemp(join(tmpdir(), 'ies-out-'))];
      await cp(join(CLIENTS, 'python'), copy, {
        recursive: true,
        filter: (path) => !path.endsWith('__pycache__') && !path.endsWith('.mypy_cache'),
      });
    });
    afterAll(() => Promise.all([copy, out].map((folder) => rm(folder, { recursive: true, force: true }))));

    /** Runs a hook of the build backend (PEP 517). @returns the names in the archive */
    function build(hook: string, names: string): string[] {
      const program = [
        `import sys, tarfile, zipfile; sys.path.insert(0, ${JSON.stringify(backend)})`,
        'from flit_core import buildapi',
        `path = ${JSON.stringify(out)} + "/" + buildapi.${hook}(${JSON.stringify(out)})`,
        `print(*${names}, sep="\\n")`,
      ].join('\n');
      return outputOf('python3', ['-B', '-c', program], copy).trim().split('\n');
    }

    it('leaves nothing in the source folder', async () => {
      const before = await readdir(copy, { recursive: true });
      expect(build('build_wheel', 'zipfile.ZipFile(path).namelist()')).toContain(
        'image_enhancement/py.typed',
      );
      expect(await readdir(copy, { recursive: true })).toEqual(before);
    });

    it('includes every page and every link target', async () => {
      const written = build('build_sdist', 'tarfile.open(path).getnames()');
      const files = written.map((path) => path.split('/').slice(1).join('/'));
      expect(files).toEqual(expect.arrayContaining(PAGES));
      expect(await deadLinks(copy, files)).toEqual([]);
    });
  });

  it('document the same JSON for both command lines', async () => {
    const read = (language: string) => readFile(join(CLIENTS, language, 'docs', 'command-line.md'), 'utf8');
    expect(await read('python')).toBe(await read('js'));
  });

  it('document the limits that the plan of the example has', () => {
    const usage = JSON.parse(codeBlock('clients/js/docs/command-line.md', '`usage`', 'json')) as Usage;
    const { rpm, enhancements, storageBytes } = PLAN_LIMITS[usage.plan];
    const { used } = usage.enhancements;
    const { usedBytes } = usage.storage;
    expect(usage).toMatchObject({
      requestsPerMinute: { limit: rpm },
      enhancements: { limit: enhancements, remaining: enhancements - used },
      storage: { limitBytes: storageBytes, remainingBytes: storageBytes - usedBytes },
    });
  });
});
