import type { CreateJob } from '../generated/schema.js';

/** The built-in operations. For one of your own models, use `'my_operation' as OperationName`. */
export type OperationName = 'smooth_skin' | 'upscale' | 'bg_remove' | 'auto_enhance';

/** What a job does, to which source. */
export interface JobOrder extends Omit<CreateJob, 'dryRun'> {
  readonly operation: OperationName;
}
