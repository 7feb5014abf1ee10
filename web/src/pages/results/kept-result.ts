import { t } from '@lingui/core/macro';
import type { JobResult } from 'image-enhancement-client';
import { formatDay } from '../../lib/format.js';
import type { SessionJob } from '../../api/schema.js';

/** A completed job whose pixels are still there. */
export type KeptResult = SessionJob & { readonly result: JobResult; readonly resultUrl: string };

export function isKept(job: SessionJob, nowMs: number): job is KeptResult {
  const { result, resultUrl } = job;
  return result !== undefined && resultUrl !== undefined && Date.parse(result.expiresAt) > nowMs;
}

/** The name of the photo; the day tells results without one apart. */
export function nameOf({ sourceName, createdAt }: Pick<SessionJob, 'sourceName' | 'createdAt'>): string {
  return sourceName ?? t`Photo of ${formatDay(createdAt)}`;
}
