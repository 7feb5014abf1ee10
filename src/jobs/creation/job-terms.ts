import { invalidRequest } from '../../common/validation/validation.pipe.js';
import type { Config } from '../../config/env.js';
import { acceptedUrl } from '../../webhooks/endpoints/endpoint-url.js';
import { requiredCancelSeconds } from './cancel-after.js';
import type { Plan } from '../../kernel/plans.js';
import type { JobTermsDto } from './create-job.dto.js';
import type { JobRetention } from './job-retention.js';

/** What a single job may ask for besides its work. */
export interface JobTerms {
  /** Called when the job has ended. */
  readonly callbackUrl: string | null;
  /** The job is canceled if it has not ended by this time. */
  readonly cancelAt: Date | null;
  /** Seconds that the result is kept; null: as long as the service keeps results. */
  readonly expiresIn: number | null;
  readonly retention: JobRetention | null;
}

/** As a request states them. */
export type RequestedTerms = Pick<JobTermsDto, 'callbackUrl' | 'cancelAfter' | 'expiresIn' | 'retention'>;

/** The terms of a job that asks for nothing. */
export const USUAL_TERMS: JobTerms = { callbackUrl: null, cancelAt: null, expiresIn: null, retention: null };

/** How long results of the plan are kept, in seconds. */
export function resultSecondsOf(
  plan: Plan,
  {
    retentionResultDays,
    resultRetentionSeconds,
  }: Pick<Config, 'retentionResultDays' | 'resultRetentionSeconds'>,
): number {
  const days = retentionResultDays[plan];
  return days === undefined ? resultRetentionSeconds : days * 86_400;
}

/** @throws AppError `invalid_request` */
export function jobTermsOf(
  { callbackUrl, cancelAfter, expiresIn, retention }: RequestedTerms,
  { plan, createdAt }: { readonly plan: Plan; readonly createdAt: Date },
  config: Config,
): JobTerms {
  const keptSeconds = resultSecondsOf(plan, config);
  if (expiresIn !== undefined && expiresIn > keptSeconds) {
    const message = `expiresIn may be at most ${keptSeconds} seconds, because results are not kept longer.`;
    throw invalidRequest([{ field: 'expiresIn', code: 'max', message }]);
  }
  const isUsual = config.retentionResultDays[plan] === undefined && retention === undefined;
  return {
    callbackUrl: callbackUrl === undefined ? null : acceptedUrl(callbackUrl, config, 'callbackUrl'),
    cancelAt:
      cancelAfter === undefined
        ? null
        : new Date(createdAt.getTime() + requiredCancelSeconds('cancelAfter', cancelAfter) * 1_000),
    // Stored, so that a later change of the plan does not affect this job, and so that the source of a failed job
    // with a retention expires, too.
    expiresIn: expiresIn ?? (isUsual ? null : keptSeconds),
    retention: retention ?? null,
  };
}
