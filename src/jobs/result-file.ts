import type { StoredFile } from '../uploads/files/file-answer.js';
import type { JobEntity } from './job.entity.js';

/** The result of a job as a file to read, or null when there never was one. */
export function resultFile(job: JobEntity): StoredFile | null {
  if (job.resultKey === null || job.resultFormat === null || job.resultSha256 === null) return null;
  const erased = job.resultErasedAt !== null || job.deletedAt !== null;
  const expired = job.resultExpiresAt !== null && job.resultExpiresAt.getTime() < Date.now();
  return {
    id: job.id,
    accountId: job.accountId,
    objectKey: job.resultKey,
    format: job.resultFormat,
    sha256: job.resultSha256,
    goneBecause: erased || expired ? 'The result was deleted or has expired.' : null,
  };
}
