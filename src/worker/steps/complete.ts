import { IMAGE_EXTENSIONS } from '../../kernel/operations.js';
import { type JobRun, left } from '../job-run.js';
import { patiently } from '../patience.js';
import { resultKey } from '../result-key.js';
import type { StepTools } from '../tools.js';
import { isRecorded } from '../unwanted-result.js';

/** Ends the job well; or, when it is no longer ours, takes the result away again. */
export async function complete(
  run: JobRun,
  { endings, enhancer, jobs, store, config }: StepTools,
): Promise<void> {
  const result = left(run.stored, 'stored result');
  const completed = await patiently(run.signal, () =>
    endings.complete(run.lease, {
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
