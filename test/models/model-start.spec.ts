import { join } from 'node:path';
import type { LoggerService } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isBuiltIn } from '../../src/models/repository/built-in-versions.js';
import type { Catalog } from '../../src/models/repository/catalog.js';
import type { ModelVersion } from '../../src/models/repository/model-version.js';
import { readVersion } from '../../src/models/repository/read-version.js';
import type { ModelFault } from '../../src/models/swap/model-fault.js';
import { ModelVerdicts } from '../../src/models/swap/model-verdicts.js';
import { loadWithFallback } from '../../src/models/swap/load-with-fallback.js';
import { MemoryVerdicts } from '../../src/models/testing/memory-verdicts.js';
import { FlowModels } from '../support/models/flow-models.js';

const TERMS = { device: 'webgpu', memoryLimitBytes: 8e9 } as const;

/** Outlives a worker. */
let store: MemoryVerdicts;
let models: FlowModels;
let warnings: string[];
let verdicts: ModelVerdicts;
/** The fault that a trial of a version finds, by `operation/version`. */
let faults: Record<string, ModelFault>;
let tried: string[];
/** The versions that an operator chose. */
let preferred: Record<string, readonly number[]>;

beforeEach(async () => {
  store = new MemoryVerdicts();
  models = await FlowModels.create('auto_enhance', 'upscale');
  verdicts = new ModelVerdicts(store, TERMS);
  warnings = [];
  faults = {};
  tried = [];
  preferred = {};
});
afterEach(async () => {
  await models.close();
});

const nameOf = ({ manifest, version }: ModelVersion): string => `${manifest.operation}/${version}`;
const namesOf = (catalog: Catalog): string[] => catalog.loaded().map(nameOf);
const version = (name: string): Promise<ModelVersion> => readVersion(join(models.dir, name));

/** Starts with a device that loads a catalog unless `load` throws. @returns the loaded versions */
function started(load: (names: string[]) => void, deaths = 0, servedBefore: Record<string, number> = {}) {
  const warn = (_: unknown, text: string): unknown => warnings.push(text);
  return loadWithFallback({
    serving: {
      modelsDir: models.dir,
      verdicts,
      also: [],
      isTrialNeeded: (one) => deaths > 0 || !isBuiltIn(one),
      preferred: new Map(Object.entries(preferred)),
      servedBefore: async () => new Map(Object.entries(servedBefore)),
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
  it('leaves out the version that the device names, and refuses it with the reason', async () => {
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

  it('does not store that refusal: the next worker tries the version again', async () => {
    await models.drop('upscale', 2);
    await started(refusing('upscale/2'));
    verdicts = new ModelVerdicts(store, TERMS);
    expect((await started(() => undefined)).devices).toEqual(['auto_enhance/1', 'upscale/2']);
  });

  it('leaves out the newest versions first when memory is short, without testing each', async () => {
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

  it('fails when not even the committed versions load', async () => {
    await models.drop('upscale', 2);
    const broken = (): void => {
      throw new Error('out of memory');
    };
    await expect(started(broken)).rejects.toThrow('out of memory');
  });

  it('leaves one out when workers still die after a trial of each', async () => {
    await models.drop('upscale', 2);
    expect((await started(() => undefined, 1)).devices).toEqual(['auto_enhance/1', 'upscale/2']);
    expect((await started(() => undefined, 2)).devices).toEqual(['auto_enhance/1', 'upscale/1']);
  });

  it('postpones the trial of a new version while an earlier one can serve', async () => {
    await models.drop('upscale', 2);
    const { catalog } = await started(() => undefined, 0, { upscale: 1, auto_enhance: 1 });
    expect(namesOf(catalog)).toEqual(['auto_enhance/1', 'upscale/1']);
    expect(catalog.excluded.untried.map(nameOf)).toEqual(['upscale/2']);
    expect([tried, catalog.refusals]).toEqual([[], []]);
  });

  it('serves what its predecessor serves while the chosen or the highest version is on trial', async () => {
    for (const number of [2, 3]) await models.drop('upscale', number);
    await verdicts.note(await version('upscale/2'), null);
    preferred = { upscale: [3] };
    const { catalog } = await started(() => undefined, 0, { upscale: 1, auto_enhance: 1 });
    expect(namesOf(catalog)).toEqual(['auto_enhance/1', 'upscale/1']);
    expect([tried, catalog.refusals]).toEqual([[], []]);
    preferred = {};
    const { catalog: highest } = await started(() => undefined, 0, { upscale: 1, auto_enhance: 1 });
    expect(namesOf(highest)).toEqual(['auto_enhance/1', 'upscale/1']);
    await verdicts.note(await version('upscale/3'), null);
    expect((await started(() => undefined, 0, { upscale: 1 })).devices).toContain('upscale/3');
  });

  it('tries a new version at once when no other version of its operation can serve', async () => {
    await models.drop('upscale', 2);
    await models.remove('upscale', 1);
    await models.drop('auto_enhance', 2);
    const { catalog } = await started(() => undefined, 0, { upscale: 1, auto_enhance: 1 });
    expect(namesOf(catalog)).toEqual(['auto_enhance/1', 'upscale/2']);
    expect(tried).toEqual(['upscale/2']);
  });

  it('stores only permanent refusals', async () => {
    await models.drop('upscale', 2);
    await models.drop('auto_enhance', 2);
    faults['upscale/2'] = { reason: 'it is broken', isTransient: false };
    faults['auto_enhance/2'] = { reason: 'it needs more memory', isTransient: true };
    const { catalog } = await started(() => undefined);
    expect(catalog.refusals.map(({ message }) => message)).toEqual([
      'auto_enhance/2 is not served: it needs more memory.',
      'upscale/2 is not served: it is broken.',
    ]);
    const next = new ModelVerdicts(store, TERMS);
    await next.refresh();
    expect(next.has(await version('auto_enhance/2'))).toBe(false);
    expect(next.reason(await version('upscale/2'))).toBe('it is broken');
  });
});
