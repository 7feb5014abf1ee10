import type { Prepared, Queryable } from '../../infra/database/database.js';
import { AppError } from '../../kernel/app-error.js';
import { MAX_QUEUED_TEST_JOBS } from '../../kernel/accounts/livemode.js';

const RETRY_AFTER_SECONDS = 10;

const IS_FULL: Prepared = {
  name: 'test_queue_is_full',
  text: `SELECT count(*) >= ${MAX_QUEUED_TEST_JOBS} AS "isFull" FROM (
           SELECT 1 FROM jobs WHERE account_id = $1 AND status = 'queued' LIMIT ${MAX_QUEUED_TEST_JOBS}) waiting`,
};

/**
 * Test jobs are free, so one account must not fill the queue with them. Not an exact count: requests at the same moment
 * may pass together.
 * @throws AppError `rate_limited`
 */
export async function requireRoomForTest(on: Queryable, accountId: string): Promise<void> {
  const [row] = await on.query<{ isFull: boolean }>(IS_FULL, [accountId]);
  if (!row!.isFull) return;
  throw new AppError('rate_limited', {
    detail: `${MAX_QUEUED_TEST_JOBS} jobs of your test mode wait already. Retry in ${RETRY_AFTER_SECONDS} s.`,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
