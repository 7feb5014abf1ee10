import type { Level } from '../../../kernel/operations.js';
import type { DifferenceMeasure } from '../difference-measure.js';

export const COMPARISON_STATUSES = ['queued', 'processing', 'completed', 'failed'] as const;
export type ComparisonStatus = (typeof COMPARISON_STATUSES)[number];

/** The images of a comparison, as WebP: the photo that both versions got, and their results. */
export const COMPARISON_IMAGES = ['source', 'a', 'b'] as const;
export type ComparisonImage = (typeof COMPARISON_IMAGES)[number];

/** Two versions of an operation, and how to run them. */
export interface ComparedVersions {
  readonly operation: string;
  readonly level: Level;
  readonly a: number;
  readonly b: number;
}

/** The result of one version for the photo. */
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
  /** Size in pixels of the photo that both versions got. */
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
  /** PSNR of colors; null for mattes, and for equal results. */
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
