import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isBuiltIn } from '../repository/built-in-versions.js';
import type { Catalog } from '../repository/catalog.js';
import type { ModelFault } from './model-fault.js';
import { ModelVerdicts } from './model-verdicts.js';
import { MemoryVerdicts } from '../testing/memory-verdicts.js';
import { servingCatalog } from './serving-catalog.js';

const COMMITTED = join(import.meta.dirname, '../../../models/auto_enhance/1');

describe('servingCatalog of a version on an inference server', () => {
  let modelsDir: string;
  let stored: MemoryVerdicts;
  let verdicts: ModelVerdicts;
  let tried: number;

  beforeEach(async () => {
    modelsDir = await mkdtemp(join(tmpdir(), 'ies-serving-'));
    stored = new MemoryVerdicts();
    verdicts = new ModelVerdicts(stored, { device: 'cpu', memoryLimitBytes: 8e9 });
    tried = 0;
  });
  afterEach(() => rm(modelsDir, { recursive: true }));

  async function add(version: number): Promise<void> {
    const folder = join(modelsDir, 'auto_enhance', String(version));
    await cp(COMMITTED, folder, { recursive: true });
    if (version === 1) return;
    const path = join(folder, 'manifest.json');
    const manifest = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
    await writeFile(path, JSON.stringify({ ...manifest, name: 'another' }));
  }

  const served = (remote: ModelFault['remote']): Promise<Catalog> =>
    servingCatalog({
      modelsDir,
      verdicts,
      also: [],
      isTrialNeeded: (version) => !isBuiltIn(version),
      runTrial: async () => {
        tried += 1;
        return { reason: 'the server is not ready', isTransient: true, remote };
      },
    });

  const waits = ['away', 'late'] as const;
  it.each(waits)('serves the version below while the server is %s, and tries it later', async (remote) => {
    await add(1);
    await add(2);
    const catalog = await served(remote);
    expect(catalog.servingVersion('auto_enhance')?.version).toBe(1);
    expect(catalog.excluded.untried.map(({ version }) => version)).toEqual([2]);
    expect(verdicts.has(catalog.excluded.untried[0]!)).toBe(false);
  });

  it.each(waits)('serves it if the server is %s and there is no other: its jobs wait', async (remote) => {
    await add(2);
    const catalog = await served(remote);
    expect(catalog.servingVersion('auto_enhance')?.version).toBe(2);
    expect(catalog.refusals).toEqual([]);
  });

  it('refuses it while the model of the server is unfit, and stores no verdict', async () => {
    await add(1);
    await add(2);
    const catalog = await served('unfit');
    expect(catalog.servingVersion('auto_enhance')?.version).toBe(1);
    expect(catalog.refusals).toMatchObject([{ version: '2' }]);
    expect((await stored.read()).size).toBe(0);
  });

  it('refuses an unfit model of the server even if there is no other', async () => {
    await add(2);
    const catalog = await served('unfit');
    expect(catalog.servingVersion('auto_enhance')).toBeUndefined();
    expect(verdicts.unfit(catalog.refusals).map(({ version }) => version)).toEqual([2]);
  });

  it('serves nothing if the server lacks the model, and leaves it to be tried again', async () => {
    await add(2);
    const catalog = await served('absent');
    expect(catalog.servingVersion('auto_enhance')).toBeUndefined();
    expect(catalog.excluded.untried.map(({ version }) => version)).toEqual([2]);
    expect(tried).toBe(2);
  });
});
