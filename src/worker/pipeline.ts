import type { JobRun } from './job-run.js';
import { analyse } from './steps/analyse.js';
import { complete } from './steps/complete.js';
import { decode } from './steps/decode.js';
import { encode } from './steps/encode.js';
import { load } from './steps/load.js';
import { render } from './steps/render.js';
import { store } from './steps/store.js';
import { keepThumbnail, thumbnail } from './steps/thumbnail.js';
import type { DeviceStepDependencies } from './step-dependencies.js';

/** One step of a job's way. Throws an AppError to fail the job with a reason. */
export type Step = (run: JobRun, dependencies: DeviceStepDependencies) => Promise<void>;

/** A claimed job goes through these, in this order. */
export const PIPELINE: readonly Step[] = [
  load,
  decode,
  analyse,
  render,
  thumbnail,
  encode,
  store,
  complete,
  keepThumbnail,
];

/** Walks a job through the pipeline; stops between two steps when the job is no longer ours. */
export async function runPipeline(run: JobRun, dependencies: DeviceStepDependencies): Promise<void> {
  for (const step of PIPELINE) {
    run.signal.throwIfAborted();
    await step(run, dependencies);
  }
}
