import { IMAGE_EXTENSIONS } from '../../kernel/operations.js';
import { type JobRun, left } from '../job-run.js';
import { retryWhileDatabaseUnavailable } from '../retry-while-unavailable.js';
import { resultKey } from '../result-key.js';
import type { DeviceStepDependencies } from '../step-dependencies.js';
import { isRecorded } from '../unwanted-result.js';

/** Ends the job well; or, when it is no longer ours, takes the result away again. */
export async function complete(
  run: JobRun,
  { completion, enhancer, jobs, store, config }: DeviceStepDependencies,
): Promise<void> {
  const result = left(run.stored, 'stored result');
  const completed = await retryWhileDatabaseUnavailable(run.signal, () =>
    completion.complete(run.lease, {
      model: run.route.model,
      device: enhancer.deviceOf(run.route),
      timings: run.stopwatch.read(),
      result,
      retentionSeconds: config.resultRetentionSeconds,
    }),
  );
  if (!completed && !(await isRecorded(run, jobs))) {
    await store.delete(result.key);
    return;
  }
  run.isCompleted = true;
  // What earlier claims stored before their worker was lost.
  for (let claim = 1; claim < run.claim; claim += 1) {
    await store.delete(resultKey(run.job.id, claim, IMAGE_EXTENSIONS[result.format]));
  }
}
