import type { JobDto } from '../../common/resources/job.dto.js';

/** A job as the dashboard shows it: the public one, and what only its owner's pages need. */
export interface SessionJobDto extends JobDto {
  /** A small WebP of the result; of the source while there is no result, or none any more. */
  readonly thumbnailUrl: string | null;
  /** Which key created it; null for the dashboard itself. */
  readonly key: { readonly id: string; readonly name: string } | null;
}
