import type { KeptMetadata } from '../infra/image/metadata/kept-metadata.js';
import type { ScratchDir } from '../infra/storage/scratch.js';
import type { JobWithSource } from '../jobs/job-presenter.js';
import type { TestOutcome } from '../jobs/test-mode/test-outcome.js';
import type { Lease } from '../jobs/queue/job-lease.repository.js';
import type { RunStep } from './run-step.js';
import type { RunResources } from './run-resources.js';
import type { Stopwatch } from './stopwatch.js';

/** One attempt at a job: what every stage of the pipeline needs besides the output of the stage before. */
export interface JobRun {
  readonly job: JobWithSource;
  readonly lease: Lease;
  /** The number of this claim of the job, from 1. */
  readonly claim: number;
  /** At least one. The result of a step is the source of the next one. */
  readonly steps: readonly RunStep[];
  /** What a job of test mode was asked to do. */
  readonly testOutcome?: TestOutcome | undefined;
  /** Inference time of each step that has ended, milliseconds. */
  readonly stepMs: number[];
  /** Aborts when this worker no longer holds the job: canceled, lease lost, or returned to the queue. */
  readonly signal: AbortSignal;
  readonly stopwatch: Stopwatch;
  /** 0–1; written to the database with the next renewal of the lease. */
  progress: number;
  /** The folder for the files of this run; removed when the run ends. */
  readonly room: ScratchDir;
  /** What must be released when the run ends, however it ends. */
  readonly resources: RunResources;
  /** Set as soon as the object store may hold a result of this run. */
  resultKey?: string;
  /** Metadata for the result; set while the source is decoded, unless the job asks for none. */
  metadata?: KeptMetadata;
}
