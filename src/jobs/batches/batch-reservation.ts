import type { SkippedItemDto } from '../../common/resources/batch.dto.js';
import type { PlannedJob } from './batch-planner.js';
import type { ReusedItem } from './batch-reuse.repository.js';
import type { PlannedRequest } from './batch.js';

/** Rolls back the transaction of a refused batch. Never reaches a client. */
export class BatchRefused extends Error {
  constructor(
    readonly quota: 'storage' | 'enhancements',
    /** When it was refused, which decides the month. */
    readonly at: Date,
    /** Enhancements that the batch needs at least. */
    readonly needed = 1,
  ) {
    super(quota);
  }
}

/** The jobs of a batch that the quota allows, and the items for which it does not suffice. */
export interface Allowance {
  /** Those that are to be run. */
  readonly allowed: readonly PlannedJob[];
  readonly skipped: readonly SkippedItemDto[];
}

/** The jobs to insert, at least one. */
export interface Reservation extends Allowance {
  /** Items that are completed at once. */
  readonly reused: readonly ReusedItem[];
}

/** What a request asks for. */
export interface AskedJobs {
  readonly request: PlannedRequest;
  readonly planned: readonly PlannedJob[];
  readonly reused: readonly ReusedItem[];
}

/** Enhancements that the jobs take. */
export function costOf(planned: readonly PlannedJob[]): number {
  return planned.reduce((sum, { job }) => sum + job.enhancements, 0);
}

/** Pixels that the jobs read. */
export function pixelsOf(planned: readonly PlannedJob[]): number {
  return planned.reduce((sum, { job }) => sum + (job.workPixels ?? job.sourcePixels), 0);
}
