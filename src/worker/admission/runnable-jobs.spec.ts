import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type JobStep, stepColumns } from '../../jobs/job-step.js';
import type { EnhancerPool } from '../../inference/enhancer-pool.js';
import type { Catalog } from '../../models/repository/catalog.js';
import { loadCatalog } from '../../models/repository/load-catalog.js';
import { ModelVersion } from '../../models/repository/model-version.js';
import type { VersionChoice } from '../../models/repository/version-choice.js';
import { RunnableJobs } from './runnable-jobs.js';

const catalog = await loadCatalog(join(import.meta.dirname, '../../../models'));

const MAX_OUTAGE_MS = 60_000;

/** Another version of the committed model, whose results have the same size. */
function upscale(number: number): ModelVersion {
  const { manifest, folder } = catalog.servingVersion('upscale')!;
  return new ModelVersion(manifest, number, folder, []);
}

function started(of: Catalog = catalog): { runnable: RunnableJobs; away: Map<string, string> } {
  const away = new Map<string, string>();
  return {
    away,
    runnable: new RunnableJobs(of, { away } as Partial<EnhancerPool> as EnhancerPool, {
      tritonMaxOutageMs: MAX_OUTAGE_MS,
    }),
  };
}

describe('RunnableJobs', () => {
  afterEach(() => void vi.restoreAllMocks());

  it('are all kinds of the catalog while every server is available', () => {
    expect(started().runnable.kinds()).toEqual(catalog.kinds());
  });

  it('exclude kinds whose render stage is on an unavailable server, until it is back', () => {
    const { runnable, away } = started();
    away.set('upscale/1/x4', 'it cannot be reached');
    const closed = catalog.kinds().filter((kind) => kind.startsWith('upscale/high/'));
    expect(closed.length).toBeGreaterThan(0);
    expect(runnable.kinds()).toEqual(catalog.kinds().filter((kind) => !closed.includes(kind)));
    away.clear();
    expect(runnable.kinds()).toEqual(catalog.kinds());
  });

  it('exclude kinds whose analyse stage is on an unavailable server', () => {
    const { runnable, away } = started();
    away.set('auto_enhance/1/analyse', 'it cannot be reached');
    expect(runnable.kinds().some((kind) => kind.startsWith('auto_enhance/'))).toBe(false);
    expect(runnable.kinds().some((kind) => kind.startsWith('smooth_skin/'))).toBe(true);
  });

  describe('with several versions of an operation', () => {
    const canary = { version: 2, percent: 1, by: 'account', since: '' } as const;
    const choice: VersionChoice = { operation: 'upscale', serving: 1, previous: null, canary, shadow: null };
    const withCanary = catalog.withCanaries({ versions: [upscale(2)], untried: [], refusals: [] });
    const pinnedTo2 = { operation: 'upscale', version: 2, isPinned: true };
    const withPinned = catalog.with([upscale(2)], [pinnedTo2]);
    const isPinnedTo = (number: number) => (kind: string) => kind.endsWith(`@${number}`);
    const versionFor = ({ runnable }: ReturnType<typeof started>, version: number, pinned?: true) => {
      const promise = { version, scale: 4, producesAlpha: false, ...(pinned && { pinned }) };
      const job = stepColumns([{ operation: 'upscale', level: 'high', promise, pixels: 1 }], false);
      return runnable.stepsFor({ ...job, accountId: 'acc_1', sourcePixels: 1 })?.[0]?.route.model.version;
    };

    it('run on the serving version while the server of the canary is unavailable', () => {
      const worker = started(withCanary);
      worker.runnable.choose([choice]);
      expect(versionFor(worker, 2)).toBe(2);
      worker.away.set('upscale/2/x4', 'it cannot be reached');
      expect(versionFor(worker, 2)).toBe(1);
      expect(versionFor(worker, 1)).toBe(1);
      expect(versionFor(worker, 2, true)).toBeUndefined();
      const closed = withCanary.kinds().filter((kind) => !worker.runnable.kinds().includes(kind));
      expect(closed.length).toBeGreaterThan(0);
      expect(closed.every(isPinnedTo(2))).toBe(true);
    });

    it('are not lost when the server of a version for pinned jobs is unavailable for too long', () => {
      const { runnable, away } = started(withPinned);
      const clock = vi.spyOn(performance, 'now').mockReturnValue(1_000);
      away.set('upscale/2/x4', 'it cannot be reached');
      runnable.kinds();
      clock.mockReturnValue(1_000 + MAX_OUTAGE_MS);
      const lost = withPinned.kinds().filter((kind) => !runnable.expectedKinds().includes(kind));
      expect(lost.length).toBeGreaterThan(0);
      expect(lost.every(isPinnedTo(2))).toBe(true);
    });

    it('do not run on the canary while the server of the serving version is unavailable', () => {
      const worker = started(withCanary);
      worker.runnable.choose([choice]);
      worker.away.set('upscale/1/x4', 'it cannot be reached');
      expect(versionFor(worker, 1)).toBeUndefined();
      const open = worker.runnable.kinds().filter((kind) => kind.startsWith('upscale/high/'));
      expect(open.length).toBeGreaterThan(0);
      expect(open.every(isPinnedTo(2))).toBe(true);
    });

    it('do not run on a version for pinned jobs while the server of the serving version is unavailable', () => {
      const worker = started(withPinned);
      worker.away.set('upscale/1/x4', 'it cannot be reached');
      expect(versionFor(worker, 1)).toBeUndefined();
      expect(versionFor(worker, 2)).toBe(2);
      expect(versionFor(worker, 2, true)).toBe(2);
      const open = worker.runnable.kinds().filter((kind) => kind.startsWith('upscale/high/'));
      expect(open.length).toBeGreaterThan(0);
      expect(open.every(isPinnedTo(2))).toBe(true);
    });
  });

  it('stay expected of this worker until an outage is too long, and are again once it ends', () => {
    const { runnable, away } = started();
    // A whole number: with a fraction, (start + outage) - start may round to less than the outage.
    const startMs = 1_000;
    const clock = vi.spyOn(performance, 'now').mockReturnValue(startMs);
    away.set('upscale/1/x4', 'it does not answer');
    expect(runnable.expectedKinds()).toEqual(catalog.kinds());
    clock.mockReturnValue(startMs + MAX_OUTAGE_MS - 1);
    expect(runnable.expectedKinds()).toEqual(catalog.kinds());
    clock.mockReturnValue(startMs + MAX_OUTAGE_MS);
    expect(runnable.expectedKinds()).toEqual(
      catalog.kinds().filter((kind) => !kind.startsWith('upscale/high/')),
    );
    away.clear();
    expect(runnable.expectedKinds()).toEqual(catalog.kinds());
    away.set('upscale/1/x4', 'it does not answer');
    expect(runnable.expectedKinds()).toEqual(catalog.kinds());
  });

  it('can be limited to kinds, which does not change what the catalog can run', () => {
    const { runnable } = started();
    expect(runnable.sole).toBeNull();
    runnable.limitTo(['upscale/low/any']);
    expect(runnable.sole).toEqual(['upscale/low/any']);
    expect(runnable.kinds()).toEqual(catalog.kinds());
  });

  it('need a route for every step', () => {
    const { runnable } = started();
    const step = (operation: string, scale: number) =>
      ({ operation, level: 'low', promise: { version: 1, scale, producesAlpha: false }, pixels: 1 }) as const;
    const job = (...steps: JobStep[]) => ({
      ...stepColumns(steps, false),
      accountId: 'acc_1',
      sourcePixels: 1,
    });
    const chain = runnable.stepsFor(job(step('auto_enhance', 1), step('upscale', 2)));
    expect(chain?.map(({ route }) => [route.operation, route.scale])).toEqual([
      ['auto_enhance', 1],
      ['upscale', 2],
    ]);
    expect(runnable.stepsFor(job(step('auto_enhance', 1), step('upscale', 3)))).toBeUndefined();
    expect(runnable.stepsFor(job(step('upscale', 2)))).toHaveLength(1);
  });
});
