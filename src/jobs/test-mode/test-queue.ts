import type { Prepared, Queryable } from '../../infra/database/database.js';
import { AppError } from '../../kernel/app-error.js';
import { MAX_QUEUED_TEST_JOBS } from '../../kernel/accounts/livemode.js';

const RETRY_AFTER_SECONDS = 10;

/** A separate statement, so that the next one sees everything that earlier transactions committed. */
const LOCK: Prepared = {
  name: 'test_queue_lock',
  text: `SELECT pg_advisory_xact_lock(hashtextextended('test queue:' || $1, 0))`,
};

const WAITING: Prepared = {
  name: 'test_queue_waiting',
  text: `SELECT count(*)::int AS waiting FROM (
           SELECT 1 FROM jobs WHERE account_id = $1 AND status = 'queued' LIMIT ${MAX_QUEUED_TEST_JOBS}) waiting`,
};

/**
 * Test jobs are free, so one account must not fill the queue with them.
 * @param tx the transaction that creates the jobs; other requests of the account wait until it ends
 * @throws AppError `rate_limited`
 */
export async function requireRoomForTest(tx: Queryable, accountId: string, jobs: number): Promise<void> {
  await tx.query(LOCK, [accountId]);
  const [row] = await tx.query<{ waiting: number }>(WAITING, [accountId]);
  const { waiting } = row!;
  if (waiting + jobs <= MAX_QUEUED_TEST_JOBS) return;
  throw new AppError('rate_limited', {
    detail: `The account already has ${waiting} of at most ${MAX_QUEUED_TEST_JOBS} test jobs waiting. Retry in ${RETRY_AFTER_SECONDS} seconds.`,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
