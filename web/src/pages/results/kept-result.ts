import { t } from '@lingui/core/macro';
import type { JobResult } from 'image-enhancement-client';
import { isResultKept } from '../../api/jobs/job.js';
import { formatDay } from '../../lib/format.js';
import type { SessionJob } from '../../api/schema.js';

/** A completed job whose pixels still exist. */
export type KeptResult = SessionJob & { readonly result: JobResult; readonly resultUrl: string };

export function isKept(job: SessionJob, nowMs: number): job is KeptResult {
  return isResultKept(job, nowMs);
}

/** The name of the photo. Results without one get the day, which distinguishes them. */
export function nameOf({ sourceName, createdAt }: Pick<SessionJob, 'sourceName' | 'createdAt'>): string {
  return sourceName ?? t`Photo of ${formatDay(createdAt)}`;
}
