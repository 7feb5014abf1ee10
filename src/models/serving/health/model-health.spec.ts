import { describe, expect, it } from 'vitest';
import { workKind } from '../../repository/work-kind.js';
import { modelHealth } from './model-health.js';
import type { KnownModelWorker } from '../model-workers.repository.js';

const ENLARGES_TWICE = workKind('upscale', 'high', { scale: 2, producesAlpha: false });
const ENLARGES_FOUR_TIMES = workKind('upscale', 'high', { scale: 4, producesAlpha: false });

/** A worker that has loaded one version of `upscale`, from a repository with these versions. */
function worker(version: number, available: readonly number[], given: Partial<KnownModelWorker>) {
  return {
    id: `wrk_${version}`,
    host: 'box',
    pid: version,
    device: 'cpu',
    operations: [],
    versions: [{ operation: 'upscale', version }],
    refusals: [],
    kinds: [],
    available: available.map((one) => ({ operation: 'upscale', version: one })),
    canaries: [],
    shadows: [],
    state: 'serving',
    wanted: 'serve',
    wantedAt: null,
    traits: {},
    load: null,
    startedAt: new Date(version),
    seenAt: new Date(version),
    alive: true,
    ...given,
  } satisfies KnownModelWorker;
}

const replaced = (available: readonly number[], given: Partial<KnownModelWorker> = {}) =>
  worker(1, available, { kinds: [ENLARGES_FOUR_TIMES], state: 'draining', ...given });

const successor = (available: readonly number[], given: Partial<KnownModelWorker> = {}) =>
  worker(2, available, { kinds: [ENLARGES_TWICE], ...given });

describe('the health of the models after a swap', () => {
  it('is good while the folder of the previous version is there', () => {
    expect(modelHealth([], [successor([2, 1]), replaced([1])], [])).toMatchObject({
      status: 'ok',
      refusals: [],
      workers: [{ id: 'wrk_2' }, { id: 'wrk_1', state: 'draining' }],
    });
  });

  it('names a version that serves only from the memory of a replaced worker after its folder was removed', () => {
    const { status, refusals } = modelHealth([], [successor([2]), replaced([1])], []);
    expect(status).toBe('degraded');
    expect(refusals).toEqual([
      {
        operation: 'upscale',
        version: '1',
        message: expect.stringMatching(/^upscale\/1 runs only from .* put the folder back/) as string,
      },
    ]);
  });

  it('does not depend on replaced workers whose jobs others can run, or that have ended', () => {
    const all = [ENLARGES_TWICE, ENLARGES_FOUR_TIMES];
    expect(modelHealth([], [successor([2], { kinds: all }), replaced([1])], []).status).toBe('ok');
    expect(modelHealth([], [successor([2]), replaced([1], { alive: false })], [])).toMatchObject({
      status: 'ok',
      workers: [{ id: 'wrk_2' }],
    });
  });
});
