import type { ObjectStore } from '../../infra/storage/object-store.js';
import type { JobCompletion } from '../../jobs/job-completion.js';
import { IMAGE_EXTENSIONS } from '../../kernel/operations.js';
import type { Precision } from '../../jobs/job.entity.js';
import type { JobStep } from '../../jobs/job-step.js';
import type { JobRun } from '../job-run.js';
import { resultKey } from '../../jobs/result-key.js';
import { retryWhileDatabaseUnavailable } from '../retry-while-unavailable.js';
import type { StoredResults } from '../stored-results.js';
import type { StoredResult } from './store-result.js';

/** What is needed to complete a job. */
export interface CompletionContext {
  readonly completion: JobCompletion;
  /** The device that rendered the result, or several with commas between them. */
  readonly device: string;
  /** The lowest of all steps; null when a server ran all of them. */
  readonly precision: Precision | null;
  readonly results: StoredResults;
  readonly store: ObjectStore;
  readonly retentionSeconds: number;
  readonly maxRetentionSeconds: number;
}

/**
 * Records the result and completes the job. When this worker no longer holds the job, deletes the result
 * instead.
 * @returns whether the job is completed with this result
 */
export async function complete(
  run: JobRun,
  result: StoredResult,
  { completion, device, precision, results, store, retentionSeconds, maxRetentionSeconds }: CompletionContext,
): Promise<boolean> {
  const completed = await retryWhileDatabaseUnavailable(run.signal, () =>
    completion.complete(run.lease, {
      model: run.steps[0]!.route.model,
      steps: run.job.steps === null ? null : ranSteps(run),
      device,
      precision,
      timings: run.stopwatch.read(),
      result,
      retentionSeconds,
      maxRetentionSeconds,
    }),
  );
  if (!completed && !(await results.isRecorded(run))) {
    await store.delete(result.key);
    return false;
  }
  // Earlier claims may have stored results. The sweep of orphans deletes those that cannot be deleted now.
  for (let claim = 1; claim < run.claim; claim += 1) {
    await store.delete(resultKey(run.job.id, claim, IMAGE_EXTENSIONS[result.format])).catch(() => undefined);
  }
  return true;
}

/** The steps with what ran them and for how long. */
function ranSteps({ steps, stepMs }: JobRun): readonly JobStep[] {
  return steps.map(({ step, route }, index) => ({
    ...step,
    model: route.model,
    inferenceMs: Math.round(stepMs[index]!),
  }));
}
