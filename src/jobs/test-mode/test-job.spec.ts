import { describe, expect, it } from 'vitest';
import { testAccountOf } from '../../kernel/accounts/livemode.js';
import type { ModelPromise } from '../../models/repository/model-promise.js';
import type { NewJob } from '../creation/job-creation.repository.js';
import { stepColumns } from '../job-step.js';
import { inMode } from './test-job.js';

const LIVE = 'acc_0193f2c4a1b27c3d8e4f5a6b7c8d9e0f';
const PROMISE: ModelPromise = { version: 1, scale: 2, producesAlpha: false };

/** A planned job, as far as its mode changes it. */
function planned(promise: ModelPromise): NewJob {
  const steps = [{ operation: 'upscale', level: 'low', promise, pixels: 100 } as const];
  return { ...stepColumns(steps, false), sourcePixels: 100, requestHash: Buffer.alloc(32, 1) } as NewJob;
}

describe('inMode', () => {
  const hashOf = (promise: ModelPromise) => inMode(testAccountOf(LIVE), planned(promise)).requestHash;

  it('leaves live jobs as they are', () => {
    const job = planned(PROMISE);
    expect(inMode(LIVE, job)).toBe(job);
  });

  it('makes test jobs free', () => {
    expect(inMode(testAccountOf(LIVE), planned(PROMISE))).toMatchObject({ enhancements: 0, workPixels: 100 });
  });

  it('tells apart requests for versions that draw different results, but not for the pinned version', () => {
    expect(hashOf({ ...PROMISE, version: 2 })).not.toEqual(hashOf(PROMISE));
    expect(hashOf({ ...PROMISE, scale: 4 })).not.toEqual(hashOf(PROMISE));
    expect(hashOf({ ...PROMISE, pinned: true })).toEqual(hashOf(PROMISE));
  });
});
