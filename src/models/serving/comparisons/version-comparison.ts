import type { Level } from '../../../kernel/operations.js';
import type { DifferenceMeasure } from '../difference-measure.js';

export const COMPARISON_STATUSES = ['queued', 'processing', 'completed', 'failed'] as const;
export type ComparisonStatus = (typeof COMPARISON_STATUSES)[number];

/** The pictures of a comparison: the photo as both versions got it, and their results. WebP. */
export const COMPARISON_IMAGES = ['source', 'a', 'b'] as const;
export type ComparisonImage = (typeof COMPARISON_IMAGES)[number];

/** Two versions of an operation, and how they are run. */
export interface ComparedVersions {
  readonly operation: string;
  readonly level: Level;
  readonly a: number;
  readonly b: number;
}

/** What one version made of the photo. */
export interface VersionResult {
  /** Pixels of the result; null when the version refused the photo. */
  readonly width: number | null;
  readonly height: number | null;
  /** Fastest of up to three runs after a warm-up, milliseconds. */
  readonly inferenceMs: number | null;
  /** Code of the refusal, such as `no_subject_found`. */
  readonly refusal: string | null;
}

export interface ComparisonResults {
  /** Pixels of the photo as both versions got it. */
  readonly source: { readonly width: number; readonly height: number };
  readonly a: VersionResult;
  readonly b: VersionResult;
  /** Null when a version refused the photo, or the results differ in size. */
  readonly difference: ResultDifference | null;
}

export interface ResultDifference {
  readonly measure: DifferenceMeasure;
  /** 0–100. */
  readonly percent: number;
  /** Of colors; null for mattes, and for equal results. */
  readonly psnrDb: number | null;
}

export interface VersionComparison extends ComparedVersions {
  readonly id: string;
  readonly status: ComparisonStatus;
  readonly results: ComparisonResults | null;
  readonly failure: string | null;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
}
