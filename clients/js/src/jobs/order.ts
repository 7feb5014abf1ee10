import type { CreateBatch, CreateJob, EnhancementStep } from '../generated/schema.js';

/** The built-in operations. For one of your own models, use `'my_operation' as OperationName`. */
export type OperationName = 'smooth_skin' | 'upscale' | 'bg_remove' | 'auto_enhance';

/** One operation of a chain, with its options. */
export interface JobStep extends EnhancementStep {
  readonly operation: OperationName;
}

/**
 * What is done to an image: one operation with its options beside it, several, each on the result of the one before, or
 * what a preset says.
 */
export type Enhancement =
  | { readonly operation: OperationName; readonly operations?: undefined; readonly preset?: undefined }
  | { readonly operation?: undefined; readonly operations: readonly JobStep[]; readonly preset?: undefined }
  | { readonly operation?: undefined; readonly operations?: undefined; readonly preset: string };

/** All of a request but what is done and to which sources. */
type Terms<Request> = Omit<
  Request,
  'operation' | 'operations' | 'preset' | 'sourceUrl' | 'sourceUrls' | 'dryRun'
>;

/** What a job does, whatever its source. */
export type JobTerms = Terms<CreateJob> & Enhancement;

/** What a job does, to which source. */
export type JobOrder = JobTerms & { readonly sourceUrl: string };

/** What the jobs of a batch do, to which sources. */
export type BatchOrder = Terms<CreateBatch> & Enhancement & { readonly sourceUrls: readonly string[] };
