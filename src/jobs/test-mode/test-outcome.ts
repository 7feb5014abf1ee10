import { invalidRequest } from '../../common/validation/validation.pipe.js';
import { AppError } from '../../kernel/app-error.js';
import { livemodeOf } from '../../kernel/accounts/livemode.js';

/** What a job of test mode can be asked to do instead of succeeding at once. */
export const TEST_OUTCOMES = [
  'no_subject_found',
  'processing_failed',
  'slow',
  'expired',
  'rate_limited',
  'quota_exceeded',
] as const;
export type TestOutcome = (typeof TEST_OUTCOMES)[number];

/** What decides the outcome of a job. */
export interface TestRequest {
  readonly accountId: string;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** File name of the upload. */
  readonly sourceName?: string | null | undefined;
}

/** How long a slow job is processed. */
export const SLOW_MS = 15_000;
const RETRY_AFTER_SECONDS = 5;

/**
 * The outcome that `metadata.test` names, or the name of the upload begins with: `slow.jpg`, `quota_exceeded-2.png`.
 * Undefined for a job that succeeds at once, and for every live job.
 */
export function testOutcomeOf({ accountId, metadata, sourceName }: TestRequest): TestOutcome | undefined {
  if (livemodeOf(accountId)) return undefined;
  const given = metadata?.['test'];
  if (given !== undefined) return TEST_OUTCOMES.find((outcome) => outcome === given);
  return TEST_OUTCOMES.find((outcome) => sourceName?.startsWith(outcome) === true);
}

/**
 * The outcome of a job about to be created.
 * @throws AppError `invalid_request` for an unknown `metadata.test`; `rate_limited` if that is the outcome
 */
export function plannedTestOutcome(request: TestRequest): TestOutcome | undefined {
  const outcome = testOutcomeOf(request);
  const given = request.metadata?.['test'];
  if (!livemodeOf(request.accountId) && given !== undefined && outcome === undefined) {
    const message = `metadata.test must be one of ${TEST_OUTCOMES.join(', ')} in test mode.`;
    throw invalidRequest([{ field: 'metadata.test', code: 'enum', message }]);
  }
  if (outcome !== 'rate_limited') return outcome;
  throw new AppError('rate_limited', {
    detail: `This is the error that the test asked for. Retry in ${RETRY_AFTER_SECONDS} seconds with a different source or different metadata.`,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
