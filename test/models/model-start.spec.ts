import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LoggerService } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isBuiltIn } from '../../src/models/repository/built-in-versions.js';
import type { Catalog } from '../../src/models/repository/catalog.js';
import type { ModelVersion } from '../../src/models/repository/model-version.js';
import { readVersion } from '../../src/models/repository/read-version.js';
import type { ModelFault } from '../../src/models/swap/model-fault.js';
import { ModelVerdicts } from '../../src/models/swap/model-verdicts.js';
import { CHECK_REVISION } from '../../src/models/check/verdict.js';
import { loadWithFallback } from '../../src/models/swap/load-with-fallback.js';
import { FlowModels } from '../support/models/flow-models.js';

const TERMS = { device: 'webgpu', memoryLimitBytes: 8e9 } as const;

let dataDir: string;
let models: FlowModels;
let warnings: string[];
let verdicts: ModelVerdicts;
/** What a trial of a version finds, by `operation/version`. */
let faults: Record<string, ModelFault>;
let tried: string[];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'ies-start-'));
  models = await FlowModels.create('auto_enhance', 'upscale');
  verdicts = new ModelVerdicts(dataDir, TERMS);
  warnings = [];
  faults = {};
  tried = [];
});
afterEach(async () => {
  await models.close();
  await rm(dataDir, { recursive: true });
});

const nameOf = ({ manifest, version }: ModelVersion): string => `${manifest.operation}/${version}`;
const namesOf = (catalog: Catalog): string[] => catalog.loaded().map(nameOf);
const version = (name: string): Promise<ModelVersion> => readVersion(join(models.dir, name));

/** Starts with a device that loads a catalogue unless this throws; answers what it has loaded. */
function started(load: (names: string[]) => void, deaths = 0, servedBefore: readonly string[] = []) {
  const warn = (_: unknown, text: string): unknown => warnings.push(text);
  return loadWithFallback({
    serving: {
      modelsDir: models.dir,
      verdicts,
      also: [],
      isTrialNeeded: (one) => deaths > 0 || !isBuiltIn(one),
      postponed: async () => new Set(servedBefore),
      runTrial: async (one) => {
        tried.push(nameOf(one));
        return faults[nameOf(one)] ?? null;
      },
    },
    start: async (catalog) => {
      load(namesOf(catalog));
      return namesOf(catalog);
    },
    isDeviceBroken: async () => false,
    deaths,
    logger: { warn } as unknown as LoggerService,
  });
}

const refusing = (name: string) => (names: string[]) => {
  if (names.includes(name))
    throw new Error(`The stage ${name}/x4 (/m/x4.onnx) does not run on webgpu: limit exceeded`);
};

describe('starting with models that do not load together', () => {
  it('leaves out the one that the device names, and refuses it with the reason', async () => {
    await models.drop('upscale', 2);
    await models.drop('auto_enhance', 2);
    const { catalog, devices, leftOut } = await started(refusing('upscale/2'));
    expect(devices).toEqual(['auto_enhance/2', 'upscale/1']);
    expect(leftOut.map(nameOf)).toEqual(['upscale/2']);
    expect(catalog.refusals).toEqual([
      {
        operation: 'upscale',
        version: '2',
        message:
          'upscale/2 is not served: it does not load with the others: The stage upscale/2/x4 (/m/x4.onnx) does not run on webgpu: limit exceeded.',
      },
    ]);
    expect(warnings).toContain('leaving out a model version');
  });

  it('keeps no such verdict: the next worker tries again', async () => {
    await models.drop('upscale', 2);
    await started(refusing('upscale/2'));
    verdicts = new ModelVerdicts(dataDir, TERMS);
    expect((await started(() => undefined)).devices).toEqual(['auto_enhance/1', 'upscale/2']);
  });

  it('leaves out the newest first while the memory does not suffice, without trying each', async () => {
    await models.drop('upscale', 2);
    await models.drop('auto_enhance', 2);
    await models.drop('upscale', 3);
    const full = (names: string[]): void => {
      if (names.some((name) => !name.endsWith('/1'))) throw new Error('CUDA out of memory');
    };
    const { devices, leftOut } = await started(full);
    expect(leftOut.map(nameOf)).toEqual(['upscale/3', 'auto_enhance/2', 'upscale/2']);
    expect(devices).toEqual(['auto_enhance/1', 'upscale/1']);
    const own = tried.filter((name) => !name.endsWith('/1'));
    expect(own.toSorted()).toEqual(['auto_enhance/2', 'upscale/2', 'upscale/3']);
  });

  it('gives up when not even the committed ones load', async () => {
    await models.drop('upscale', 2);
    const broken = (): void => {
      throw new Error('out of memory');
    };
    await expect(started(broken)).rejects.toThrow('out of memory');
  });

  it('leaves one out when trying each by itself did not help and workers died all the same', async () => {
    await models.drop('upscale', 2);
    expect((await started(() => undefined, 1)).devices).toEqual(['auto_enhance/1', 'upscale/2']);
    expect((await started(() => undefined, 2)).devices).toEqual(['auto_enhance/1', 'upscale/1']);
  });

  it('leaves the trial of a new version for later while an earlier one that needs none serves', async () => {
    await models.drop('upscale', 2);
    const { catalog } = await started(() => undefined, 0, ['upscale', 'auto_enhance']);
    expect(namesOf(catalog)).toEqual(['auto_enhance/1', 'upscale/1']);
    expect(catalog.excluded.untried.map(nameOf)).toEqual(['upscale/2']);
    expect([tried, catalog.refusals]).toEqual([[], []]);
  });

  it('tries a new version at once where no other of its operation can serve', async () => {
    await models.drop('upscale', 2);
    await models.remove('upscale', 1);
    await models.drop('auto_enhance', 2);
    const { catalog } = await started(() => undefined, 0, ['upscale', 'auto_enhance']);
    expect(namesOf(catalog)).toEqual(['auto_enhance/1', 'upscale/2']);
    expect(tried).toEqual(['upscale/2']);
  });

  it('refuses for good only what fails for good', async () => {
    await models.drop('upscale', 2);
    await models.drop('auto_enhance', 2);
    faults['upscale/2'] = { reason: 'it is broken', isTransient: false };
    faults['auto_enhance/2'] = { reason: 'it needs more memory', isTransient: true };
    const { catalog } = await started(() => undefined);
    expect(catalog.refusals.map(({ message }) => message)).toEqual([
      'auto_enhance/2 is not served: it needs more memory.',
      'upscale/2 is not served: it is broken.',
    ]);
    const next = new ModelVerdicts(dataDir, TERMS);
    expect(next.has(await version('auto_enhance/2'))).toBe(false);
    expect(next.reason(await version('upscale/2'))).toBe('it is broken');
  });
});

describe('ModelVerdicts', () => {
  it('hold for one device, one memory limit, one runtime and one check', async () => {
    const one = await version('upscale/1');
    await verdicts.note(one, { reason: 'it is broken', isTransient: false });
    expect(new ModelVerdicts(dataDir, TERMS).reason(one)).toBe('it is broken');
    expect(new ModelVerdicts(dataDir, { ...TERMS, device: 'cpu' }).has(one)).toBe(false);
    expect(new ModelVerdicts(dataDir, { ...TERMS, memoryLimitBytes: 9e9 }).has(one)).toBe(false);
    const checkedBy = (checkRevision: number) => new ModelVerdicts(dataDir, { ...TERMS, checkRevision });
    expect(checkedBy(CHECK_REVISION).has(one)).toBe(true);
    expect(checkedBy(CHECK_REVISION + 1).has(one)).toBe(false);
  });

  it('are all kept when many are noted at once', async () => {
    for (let number = 2; number < 12; number += 1) await models.drop('upscale', number);
    const names = Array.from({ length: 11 }, (_, index) => `upscale/${index + 1}`);
    const all = await Promise.all(names.map(version));
    await Promise.all(all.map((one) => verdicts.note(one, null)));
    expect(all.map((one) => new ModelVerdicts(dataDir, TERMS).has(one))).not.toContain(false);
    expect(
      Object.keys(JSON.parse(await readFile(join(dataDir, 'model-checks.json'), 'utf8')) as object),
    ).toHaveLength(11);
  });

  it('forget what may pass with the rest', async () => {
    const one = await version('upscale/1');
    await verdicts.note(one, { reason: 'memory is short', isTransient: true });
    expect(verdicts.reason(one)).toBe('memory is short');
    await verdicts.forgetRefusals();
    expect(verdicts.has(one)).toBe(false);
  });
});
