import type { ModelRoute } from '../models/manifest/model-route.js';
import type { AnalysisResult } from '../inference/analysis-result.js';
import type { PixelFile } from '../infra/image/codec/pixel-file.js';
import type { ScratchRoom } from '../infra/storage/scratch.js';
import type { Lease } from '../jobs/queue/job-lease.repository.js';
import type { JobWithSource } from '../jobs/job-presenter.js';
import type { ImageFormat } from '../kernel/operations.js';
import type { Stopwatch } from './stopwatch.js';

/** An encoded result in a file of the run. */
export interface EncodedFile {
  readonly path: string;
  readonly format: ImageFormat;
  readonly width: number;
  readonly height: number;
}

/** A result as it is stored. */
export interface StoredResult {
  readonly key: string;
  readonly format: ImageFormat;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/**
 * One job on its way through the pipeline. Every step reads what the steps before it left here and leaves
 * its own. Pixels are in files of the job's scratch room; those that no later step needs are let go.
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
  /** Where the files of this run lie; removed with it. */
  readonly room: ScratchRoom;
  sourceBytes?: Buffer | undefined;
  source?: PixelFile | undefined;
  analysis?: AnalysisResult | null;
  rendered?: PixelFile | undefined;
  /** WebP; undefined when it could not be made. */
  thumbnail?: Buffer | undefined;
  encoded?: EncodedFile;
  resultKey?: string;
  stored?: StoredResult;
  /** The result stands in the database. */
  isCompleted?: boolean;
}

/** What an earlier step must have left. @throws Error naming it: then the pipeline is in the wrong order */
export function left<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`the pipeline has no ${name} yet`);
  return value;
}
