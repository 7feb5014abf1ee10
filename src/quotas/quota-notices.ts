import type { Prepared, Queryable } from '../infra/database/database.js';
import { quotaPeriod } from '../kernel/time/clock.js';

/** Names `used`, so that the trigger that writes the notices runs. */
const SET_ALLOWED: Prepared = {
  name: 'quota_notices_set_allowed',
  text: 'UPDATE enhancement_usage SET allowed = $3::int, used = used WHERE account_id = $1 AND period = $2',
};

/** Forgets the thresholds that are no longer reached. */
const FORGET: Prepared = {
  name: 'quota_notices_forget',
  text: `DELETE FROM account_notices n USING enhancement_usage u
          WHERE u.account_id = $1 AND u.period = $2
            AND n.account_id = $1 AND n.kind = 'quota' AND n.data->>'period' = $2
            AND u.used::bigint * 100 < $3::bigint * (n.data->>'percent')::int`,
};

/** Enhancements per month, before and after a change. */
export interface QuotaChange {
  readonly from: number;
  readonly to: number;
}

/**
 * After a higher limit, thresholds that are no longer reached are reported again when they are reached. A lower limit
 * reports at once what it newly reaches. Refunds alone never repeat a notice.
 */
export async function renewQuotaNotices(
  tx: Queryable,
  accountId: string,
  { from, to }: QuotaChange,
): Promise<void> {
  if (to === from) return;
  const values = [accountId, quotaPeriod(Date.now()), to];
  // In the order of the creation of jobs: first the counter, then its notices.
  await tx.query(SET_ALLOWED, values);
  if (to > from) await tx.query(FORGET, values);
}
