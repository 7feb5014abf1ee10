import type { JobTermsDto } from '../creation/create-job.dto.js';
import type { RequestedTerms } from '../creation/job-terms.js';
import type { JobRequest } from '../creation/requested-steps.js';

/** What every job of a batch does, and on which terms. Its callback is that of the whole batch. */
export type PlannedRequest = JobRequest & RequestedTerms & Pick<JobTermsDto, 'cache'>;

/** The request, stored so that a retry does the same even if a preset has changed since. */
export type BatchRequest = PlannedRequest & { readonly metadata: Record<string, string> };

/** A row of `batches`, and how many of its jobs are running. */
export interface Batch {
  readonly id: string;
  readonly accountId: string;
  readonly request: BatchRequest;
  readonly total: number;
  readonly completed: number;
  /** Excludes canceled items. */
  readonly failed: number;
  readonly canceled: number;
  readonly processing: number;
  readonly createdAt: Date;
  /** When its owner canceled it; null again after a retry. */
  readonly canceledAt: Date | null;
  /** When its last item ended; null while some have not. */
  readonly completedAt: Date | null;
}

/**
 * Columns with the names of `Batch`. Few jobs run at a time, and those have their own index; ended ones are counted
 * on the row, so that reading a batch costs the same whatever its size.
 */
export const BATCH_COLUMNS = `
  id, account_id AS "accountId", request, total, completed, failed, canceled, created_at AS "createdAt",
  canceled_at AS "canceledAt", completed_at AS "completedAt",
  (SELECT count(*) FROM jobs j WHERE j.batch_id = batches.id AND j.status = 'processing')::int AS processing`;
