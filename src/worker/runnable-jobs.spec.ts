import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { EnhancerPool } from '../inference/enhancer-pool.js';
import { loadCatalog } from '../models/repository/load-catalog.js';
import { RunnableJobs } from './runnable-jobs.js';

const catalog = await loadCatalog(join(import.meta.dirname, '../../models'));

const MAX_OUTAGE_MS = 60_000;

function started(): { runnable: RunnableJobs; away: Map<string, string> } {
  const away = new Map<string, string>();
  return {
    away,
    runnable: new RunnableJobs(catalog, { away } as Partial<EnhancerPool> as EnhancerPool, {
      tritonMaxOutageMs: MAX_OUTAGE_MS,
    }),
  };
}

describe('RunnableJobs', () => {
  afterEach(() => void vi.restoreAllMocks());

  it('are all that the catalog can run while every server is there', () => {
    expect(started().runnable.kinds()).toEqual(catalog.kinds());
  });

  it('are not those whose render stage is on a server that is away, until it is back', () => {
    const { runnable, away } = started();
    away.set('upscale/1/x4', 'it cannot be reached');
    const closed = catalog.kinds().filter((kind) => kind.startsWith('upscale/high/'));
    expect(closed.length).toBeGreaterThan(0);
    expect(runnable.kinds()).toEqual(catalog.kinds().filter((kind) => !closed.includes(kind)));
    away.clear();
    expect(runnable.kinds()).toEqual(catalog.kinds());
  });

  it('are not those whose analyse stage is on a server that is away', () => {
    const { runnable, away } = started();
    away.set('auto_enhance/1/analyse', 'it cannot be reached');
    expect(runnable.kinds().some((kind) => kind.startsWith('auto_enhance/'))).toBe(false);
    expect(runnable.kinds().some((kind) => kind.startsWith('smooth_skin/'))).toBe(true);
  });

  it('are expected of this worker until a server has been away for too long, and again when it is back', () => {
    const { runnable, away } = started();
    const startMs = performance.now();
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

  it('are at most those it is limited to', () => {
    const { runnable, away } = started();
    runnable.limitTo(['upscale/low/any', 'upscale/high/any']);
    away.set('upscale/1/x4', 'it cannot be reached');
    expect(runnable.kinds()).toEqual(['upscale/low/any']);
  });
});
