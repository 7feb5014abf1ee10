import { describe, expect, it } from 'vitest';
import type { KnownModelWorker } from '../../models/serving/model-workers.repository.js';
import { modelOverview } from './model-overview.js';

function worker(id: string, given: Partial<KnownModelWorker>): KnownModelWorker {
  return {
    id,
    host: 'box',
    pid: 1,
    device: 'cpu',
    operations: [],
    versions: [],
    refusals: [],
    kinds: [],
    available: [],
    canaries: [],
    shadows: [],
    state: 'serving',
    wanted: 'serve',
    wantedAt: null,
    traits: {},
    load: null,
    startedAt: new Date(0),
    seenAt: new Date(0),
    alive: true,
    ...given,
  };
}

const serves = (operation: string, version: number): Pick<KnownModelWorker, 'operations' | 'versions'> => ({
  operations: [
    {
      operation,
      description: '',
      levels: [],
      scales: { low: 1, medium: 1, high: 1 },
      producesAlpha: false,
      model: { name: `model ${version}`, version, sha256: 'ab' },
    },
  ],
  versions: [{ operation, version }],
});

const folders = ['1', '2', '10'].map((version) => ({ operation: 'upscale', version }));

describe('modelOverview', () => {
  it('lists every version of the repository, highest first, and none that only a dead worker had', () => {
    const [upscale, ...others] = modelOverview(folders, [
      worker('wrk_1', { ...serves('smooth_skin', 1), alive: false }),
    ]);
    expect(others).toEqual([]);
    expect(upscale).toMatchObject({ operation: 'upscale', offered: null });
    expect(upscale!.versions.map(({ version, state }) => [version, state])).toEqual([
      ['10', 'idle'],
      ['2', 'idle'],
      ['1', 'idle'],
    ]);
  });

  it('shows which workers serve, hold, and refuse each version', () => {
    const refusal = { operation: 'upscale', version: '10', message: 'upscale/10 is refused: no file.' };
    const [{ offered, versions }] = modelOverview(folders, [
      worker('wrk_1', { ...serves('upscale', 2), refusals: [refusal] }),
      worker('wrk_2', { ...serves('upscale', 2), refusals: [refusal] }),
      worker('wrk_3', { ...serves('upscale', 1), state: 'draining' }),
    ]) as [ReturnType<typeof modelOverview>[number]];
    expect(offered).toBe(2);
    expect(versions).toEqual([
      {
        version: '10',
        state: 'refused',
        model: null,
        sha256: null,
        canServe: false,
        workers: [],
        reasons: [refusal.message],
      },
      {
        version: '2',
        state: 'serving',
        model: 'model 2',
        sha256: 'ab',
        canServe: true,
        workers: ['wrk_1', 'wrk_2'],
        reasons: [],
      },
      {
        version: '1',
        state: 'loaded',
        model: null,
        sha256: null,
        canServe: false,
        workers: ['wrk_3'],
        reasons: [],
      },
    ]);
  });
});
