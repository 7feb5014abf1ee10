import type { CreateBatch, CreateJob, EnhancementStep } from '../generated/schema.js';

/** The built-in operations. For your own models, use `'my_operation' as OperationName`. */
export type OperationName = 'smooth_skin' | 'upscale' | 'bg_remove' | 'auto_enhance';

/** One operation of a chain, with its options. */
export interface JobStep extends EnhancementStep {
  readonly operation: OperationName;
}

/**
 * What to do with an image: one operation with its options, a chain of operations that each work on the previous
 * result, or a preset.
 */
export type Enhancement =
  | { readonly operation: OperationName; readonly operations?: undefined; readonly preset?: undefined }
  | { readonly operation?: undefined; readonly operations: readonly JobStep[]; readonly preset?: undefined }
  | { readonly operation?: undefined; readonly operations?: undefined; readonly preset: string };

/** All fields of a request except the operations and the sources. */
type Terms<Request> = Omit<
  Request,
  'operation' | 'operations' | 'preset' | 'sourceUrl' | 'sourceUrls' | 'dryRun'
>;

/** The options of a job, without its source. */
export type JobTerms = Terms<CreateJob> & Enhancement;

/** The options of a job, with its source. */
export type JobOrder = JobTerms & { readonly sourceUrl: string };

/** The options of a batch, with its sources. */
export type BatchOrder = Terms<CreateBatch> & Enhancement & { readonly sourceUrls: readonly string[] };
