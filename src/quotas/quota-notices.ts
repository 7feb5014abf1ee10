import type { Prepared, Queryable } from '../infra/database/database.js';
import { quotaPeriod } from '../kernel/time/clock.js';

/**
 * Names `used`, so that the trigger that writes the notices runs. Requests that were authenticated before the change set
 * the limit only where there is none, so this also writes it for a month without usage.
 */
const SET_ALLOWED: Prepared = {
  name: 'quota_notices_set_allowed',
  text: `INSERT INTO enhancement_usage AS u (account_id, period, used, allowed) VALUES ($1, $2, 0, $3)
         ON CONFLICT (account_id, period) DO UPDATE SET allowed = excluded.allowed, used = u.used`,
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
