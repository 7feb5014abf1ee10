import { livemodeOf } from '../../kernel/accounts/livemode.js';
import type { NewJob } from '../creation/job-creation.repository.js';
import { requestHash } from '../cache/request-hash.js';
import { type JobStep, stepsOf, type StepsPromise } from '../job-step.js';

/**
 * The kind of step that every worker can draw, see `StepsPromise`. No model serves it, so that neither a worker of an
 * earlier version nor the lane of live jobs finds a test job.
 */
export const TEST_KIND = 'test';

/** `producesAlpha` of the promise of every test job, which decides its kind. */
export const TEST_PROMISE = `+${TEST_KIND}`;

/** A job of an account: in test mode one that is drawn, and costs nothing. */
export function inMode<Job extends NewJob>(accountId: string, job: Job): Job {
  if (livemodeOf(accountId)) return job;
  const steps = stepsOf(job);
  const promise: StepsPromise = {
    version: steps[0]!.promise?.version ?? 0,
    scale: 'steps',
    producesAlpha: TEST_PROMISE,
  };
  return {
    ...job,
    steps,
    promise,
    enhancements: 0,
    workPixels: job.workPixels ?? job.sourcePixels,
    // All test jobs record the same model, so the hash tells apart the versions whose results are drawn.
    requestHash: requestHash(job.requestHash.toString('hex'), { promises: steps.map(promiseOf) }),
  };
}

function promiseOf({ promise }: JobStep): object | null {
  return promise && { ...promise, pinned: undefined };
}
