import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ROOT } from '../../scripts/lib/paths.mjs';

const COPIED = ['package.json', 'package-lock.json', 'scripts/lib'];

/** Ends well only if `go` appears while it runs. */
const FAKE_NPM = `
  import { existsSync } from 'node:fs';
  const deadlineMs = Date.now() + 5_000;
  setInterval(() => {
    if (existsSync(process.env.GO)) process.exit(0);
    if (Date.now() > deadlineMs) process.exit(3);
  }, 20);`;

describe('the installation of npm packages', () => {
  let clone: string;
  let ensurePackages: (say: (text: string) => void) => Promise<void>;
  let arePackagesCurrent: () => boolean;
  beforeEach(async () => {
    clone = mkdtempSync(join(tmpdir(), 'ies-clone-'));
    for (const path of COPIED) cpSync(join(ROOT, path), join(clone, path), { recursive: true });
    mkdirSync(join(clone, 'node_modules'));
    writeFileSync(join(clone, 'npm.js'), FAKE_NPM);
    vi.stubEnv('npm_execpath', join(clone, 'npm.js'));
    vi.stubEnv('GO', join(clone, 'go'));
    const module = pathToFileURL(join(clone, 'scripts/lib/packages.mjs')).href;
    ({ ensurePackages, arePackagesCurrent } = (await import(module)) as {
      ensurePackages: typeof ensurePackages;
      arePackagesCurrent: typeof arePackagesCurrent;
    });
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(clone, { recursive: true });
  });

  it('leaves the event loop free, which touches the setup lock', async () => {
    const timer = setTimeout(() => writeFileSync(join(clone, 'go'), ''), 100);
    await expect(ensurePackages(() => undefined)).resolves.toBeUndefined();
    clearTimeout(timer);
  });

  it('reports the exit code of npm after a second attempt', async () => {
    writeFileSync(join(clone, 'npm.js'), 'process.exit(7)');
    const said: string[] = [];
    await expect(ensurePackages((text) => void said.push(text))).rejects.toThrow('exit code 7');
    expect(said.at(-1)).toBe('npm failed; trying once more …');
  });

  it('includes the packages of the build, whatever npm is set to omit', async () => {
    useRealNpm({ devDependencies: { tool: 'file:tool' } });
    vi.stubEnv('NODE_ENV', 'production');
    vi.stubEnv('npm_config_omit', 'dev');
    await ensurePackages(() => undefined);
    expect(arePackagesCurrent()).toBe(true);
    const tool = join(clone, 'node_modules', 'tool');
    expect(existsSync(join(tool, 'package.json'))).toBe(true);
    // As `npm prune --omit=dev` does.
    rmSync(tool);
    expect(arePackagesCurrent()).toBe(false);
    // A GPU kit has only the packages that its steps use.
    const kit = join(clone, 'node_modules', '.gpu-kit');
    mkdirSync(kit);
    expect(arePackagesCurrent()).toBe(true);
    rmSync(kit, { recursive: true });
    await ensurePackages(() => undefined);
    expect(existsSync(join(tool, 'package.json'))).toBe(true);
  });

  /** The npm of this machine, for a package in the folder `tool`, so that it needs no network. */
  function useRealNpm(dependencies: object): void {
    vi.stubEnv('npm_execpath', undefined);
    const project = { name: 'clone', version: '1.0.0', ...dependencies };
    writeFileSync(join(clone, 'package.json'), JSON.stringify(project));
    const packages = {
      '': project,
      'node_modules/tool': { resolved: 'tool', link: true },
      tool: { version: '1.0.0', dev: true },
    };
    const lock = { name: 'clone', version: '1.0.0', lockfileVersion: 3, requires: true, packages };
    writeFileSync(join(clone, 'package-lock.json'), JSON.stringify(lock));
    mkdirSync(join(clone, 'tool'));
    writeFileSync(join(clone, 'tool', 'package.json'), JSON.stringify({ name: 'tool', version: '1.0.0' }));
  }
});
