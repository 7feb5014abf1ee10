import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { VERSION } from '../../src/kernel/version.js';

const ROOT = join(import.meta.dirname, '../..');
const NEXT = VERSION.replace(/^(\d+)\.(\d+)\.\d+$/, (_, major, minor) => `${major}.${Number(minor) + 1}.0`);

/** The files that a release reads and writes; the documents are generated from a build, which this clone lacks. */
const FILES = [
  'package.json',
  'package-lock.json',
  'CHANGELOG.md',
  'src/kernel/version.ts',
  'clients/js/package.json',
  'clients/js/src/version.ts',
  'clients/js/CHANGELOG.md',
  'clients/python/pyproject.toml',
  'clients/python/src/image_enhancement/_version.py',
  'clients/python/CHANGELOG.md',
  'docker/Dockerfile',
  'docker/helm/Chart.yaml',
  'scripts/release.mjs',
  'scripts/release/changelog.mjs',
  'scripts/release/versions.mjs',
  'src/cli/command-line.mjs',
  'src/infra/processes/file-lock.mjs',
  'src/infra/processes/lock-holder.mjs',
  'src/infra/processes/process-stamp.mjs',
  'src/cli/supported-node.mjs',
];

describe('npm run release', () => {
  let clone: string;
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: clone, encoding: 'utf8' }).trim();
  const read = (path: string): string => readFileSync(join(clone, path), 'utf8');
  const release = (...args: string[]) =>
    spawnSync(process.execPath, ['scripts/release.mjs', ...args], { cwd: clone, encoding: 'utf8' });

  beforeEach(() => {
    clone = mkdtempSync(join(tmpdir(), 'ies-release-'));
    execFileSync('cp', ['--recursive', '--parents', ...FILES, 'scripts/lib', clone], { cwd: ROOT });
    symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
    writeFileSync(
      join(clone, 'scripts/docs-sync.mjs'),
      'process.exit(Number(process.env.SYNC_FAILS ?? 0));\n',
    );
    git('init', '--quiet', '--initial-branch', 'main');
    writeFileSync(join(clone, '.git/info/exclude'), 'node_modules\n');
    git('config', 'user.email', 'somebody@example.org');
    git('config', 'user.name', 'Somebody');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'start');
  });
  afterEach(() => rmSync(clone, { recursive: true, force: true }));

  it('sets every version, moves the unreleased changes, commits and tags', () => {
    const { status, stderr } = release('minor');
    expect(status, stderr).toBe(0);
    for (const path of FILES.filter(
      (name) => /version|package.json|pyproject/.test(name) && !name.startsWith('scripts'),
    ))
      expect(read(path), path).toContain(NEXT);
    const labels = [...read('docker/Dockerfile').matchAll(/^ARG VERSION=(.*)$/gm)].map(
      ([, version]) => version,
    );
    expect(labels).toEqual([NEXT, NEXT]);
    expect(JSON.parse(read('package-lock.json'))).toMatchObject({
      version: NEXT,
      packages: { '': { version: NEXT } },
    });
    const today = new Date().toISOString().slice(0, 10);
    expect(read('CHANGELOG.md')).toContain(`## [Unreleased]\n\n## [${NEXT}] - ${today}\n\n### Added`);
    expect(git('describe', '--tags')).toBe(`v${NEXT}`);
    expect(git('log', '-1', '--format=%s')).toBe(`chore(release): ${NEXT}`);
    expect(git('status', '--porcelain')).toBe('');
    // Nothing has changed since.
    expect(release('patch')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('nothing under') as unknown,
    });
  });

  it('changes nothing with --dry-run', () => {
    const { status, stdout } = release('major', '--dry-run');
    expect(status).toBe(0);
    expect(stdout).toContain('Would release 1.0.0: package.json');
    expect(git('status', '--porcelain')).toBe('');
    expect(git('tag')).toBe('');
  });

  it('refuses uncommitted changes and unknown arguments', () => {
    writeFileSync(join(clone, 'CHANGELOG.md'), 'mine');
    expect(release('minor')).toMatchObject({ status: 1, stderr: 'Commit or stash your changes first.\n' });
    expect(read('CHANGELOG.md')).toBe('mine');
    expect(release('huge').status).toBe(2);
    expect(release().status).toBe(2);
    expect(release('--help').status).toBe(0);
  });

  it('restores the tree when a step fails', () => {
    const { status } = spawnSync(process.execPath, ['scripts/release.mjs', 'minor'], {
      cwd: clone,
      env: { ...process.env, SYNC_FAILS: '1' },
    });
    expect(status).toBe(1);
    expect(git('status', '--porcelain')).toBe('');
    expect(git('tag')).toBe('');
  });
});
