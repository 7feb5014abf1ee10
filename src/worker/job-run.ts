import type { ModelRoute } from '../catalog/model-route.js';
import type { AnalysisResult } from '../inference/analysis-result.js';
import type { EncodedImage } from '../infra/image/encode.js';
import type { Lease } from '../jobs/job-lease.repository.js';
import type { JobWithSource } from '../jobs/job-presenter.js';
import type { RawImage } from '../kernel/pixels.js';
import type { Stopwatch } from './stopwatch.js';

/**
 * One job on its way through the pipeline. Every step reads what the steps before it left here and leaves
 * its own; pixels that no later step needs are let go.
 */
export interface JobRun {
  readonly job: JobWithSource;
  readonly lease: Lease;
  /** Which time the job is in hand, from 1. */
  readonly claim: number;
  readonly route: ModelRoute;
  /** Fires when the job is no longer ours: canceled, lost, or given back because the worker drains. */
  readonly signal: AbortSignal;
  readonly stopwatch: Stopwatch;
  /** 0–1; told to the database with the next renewal of the lease. */
  progress: number;
  sourceBytes?: Buffer | undefined;
  source?: RawImage | undefined;
  analysis?: AnalysisResult | null;
  rendered?: RawImage | undefined;
  encoded?: EncodedImage;
  resultKey?: string;
}

/** What an earlier step must have left. @throws Error naming it: then the pipeline is in the wrong order */
export function left<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`the pipeline has no ${name} yet`);
  return value;
}
