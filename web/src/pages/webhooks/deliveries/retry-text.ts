import { t } from '@lingui/core/macro';
import type { SessionDelivery } from '../../../api/schema.js';
import { formatRelative } from '../../../lib/format.js';

/** `Retrying, attempt 3 of 10, next in 4 minutes` for a failed delivery that is retried, otherwise null. */
export function retryText(
  {
    status,
    attemptCount,
    maxAttempts,
    nextAttemptAt,
  }: Pick<SessionDelivery, 'status' | 'attemptCount' | 'maxAttempts' | 'nextAttemptAt'>,
  nowMs: number,
): string | null {
  if (status !== 'pending' || attemptCount === 0) return null;
  const attempt = t`Retrying, attempt ${attemptCount + 1} of ${Math.max(maxAttempts, attemptCount + 1)}`;
  if (nextAttemptAt === null) return attempt;
  if (Date.parse(nextAttemptAt) <= nowMs) return t`${attempt}, next now`;
  return t`${attempt}, next ${formatRelative(nextAttemptAt, nowMs)}`;
}
