import type { Prepared, Queryable } from '../../infra/database/database.js';
import { isTestAccountSql } from '../../kernel/accounts/livemode.js';

/** Accounts that are read in one transaction. */
export const ACCOUNTS_PER_PAGE = 500;
/** A day is sent this long after its end: until then, jobs of the day may still fail and be refunded. */
const DELAY_HOURS = 6;
/** Days that are sent late after an interruption. Earlier ones are skipped. */
const MAX_DAYS_LATE = 7;

const TODAY = `(now() AT TIME ZONE 'UTC')::date`;

/** The day to send next, at most a week ago. */
const OLDEST = `(SELECT ${TODAY} - ${MAX_DAYS_LATE} AS first) oldest`;

/** The first day to send is the current one. */
const START: Prepared = {
  name: 'usage_reports_start',
  text: `INSERT INTO usage_reports (day) VALUES (${TODAY}) ON CONFLICT DO NOTHING`,
};

/** Nothing while another dispatcher has it. */
const TAKE: Prepared = {
  name: 'usage_reports_take',
  text: `SELECT to_char(greatest(day, first), 'YYYY-MM-DD') AS day, CASE WHEN day < first THEN '' ELSE after_account END AS "afterAccount"
           FROM usage_reports, ${OLDEST}
          WHERE greatest(day, first) + 1 + interval '${DELAY_HOURS} hours' <= now() AT TIME ZONE 'UTC'
            FOR UPDATE OF usage_reports SKIP LOCKED`,
};

/** Of the days `d`. */
const SUMS = `sum(d.count)::int AS enhancements,
  jsonb_agg(jsonb_build_object('keyId', nullif(d.key_id, ''), 'operation', d.operation, 'enhancements', d.count)
    ORDER BY d.key_id, d.operation) AS items`;

/** $1: the account before the page; $2: the day. */
const PAGE: Prepared = {
  name: 'usage_reports_page',
  text: `SELECT a.id AS "accountId", coalesce(a.name, a.email) AS "accountName",
                coalesce(used.enhancements, 0) AS enhancements, used.items
           FROM (SELECT id, name, email FROM accounts WHERE id > $1 AND NOT ${isTestAccountSql('id')}
                  ORDER BY id LIMIT ${ACCOUNTS_PER_PAGE}) a
           LEFT JOIN LATERAL (
             SELECT ${SUMS} FROM operation_days d WHERE d.account_id = a.id AND d.day = $2::date AND d.count > 0) used ON true
          ORDER BY a.id`,
};

/** $1: the last account; null after the last page of the day, $2. */
const MOVE: Prepared = {
  name: 'usage_reports_move',
  text: `UPDATE usage_reports SET after_account = coalesce($1, ''),
                day = CASE WHEN $1::text IS NULL THEN $2::date + 1 ELSE $2::date END`,
};

/** A dispatcher that reads a page commits first, and others continue after this transaction. */
const LOCK: Prepared = { name: 'usage_reports_lock', text: 'SELECT 1 FROM usage_reports FOR UPDATE' };

/** $1: the account. */
const REMAINING: Prepared = {
  name: 'usage_reports_remaining',
  text: `SELECT a.id AS "accountId", coalesce(a.name, a.email) AS "accountName", to_char(d.day, 'YYYY-MM-DD') AS day, ${SUMS}
           FROM accounts a JOIN operation_days d ON d.account_id = a.id, usage_reports r, ${OLDEST}
          WHERE a.id = $1 AND d.count > 0 AND d.day >= greatest(r.day, first)
            AND (d.day > r.day OR a.id > r.after_account)
          GROUP BY a.id, d.day ORDER BY d.day`,
};

/** How far the reports have got. */
export interface ReportPosition {
  /** UTC, `YYYY-MM-DD`. */
  readonly day: string;
  /** The last account that was read; empty at the start of the day. */
  readonly afterAccount: string;
}

/** Enhancements of an account on one day. */
export interface AccountUsage {
  readonly accountId: string;
  /** The name of an organization, or the address of a user's account. */
  readonly accountName: string;
  readonly enhancements: number;
  /** By key and operation. Null without any. */
  readonly items: readonly unknown[] | null;
}

/** Usage of all accounts, day by day, for billing systems. */
export const usageReportsRepository = {
  /** Begins with the current day, unless it has begun before. */
  async start(on: Queryable): Promise<void> {
    await on.query(START);
  },

  /** Locks the position. @returns undefined while no day is due, or another dispatcher reads it */
  async take(tx: Queryable): Promise<ReportPosition | undefined> {
    return (await tx.query<ReportPosition>(TAKE))[0];
  },

  /** The next accounts, also those without usage. */
  async page(tx: Queryable, { day, afterAccount }: ReportPosition): Promise<AccountUsage[]> {
    return tx.query<AccountUsage>(PAGE, [afterAccount, day]);
  },

  /** The days of an account that were not read yet. Locks the position. */
  async remaining(tx: Queryable, accountId: string): Promise<(AccountUsage & { readonly day: string })[]> {
    await tx.query(LOCK);
    return tx.query(REMAINING, [accountId]);
  },

  /** @param lastAccount of the page; null when it was the last one of the day */
  async move(tx: Queryable, { day }: ReportPosition, lastAccount: string | null): Promise<void> {
    await tx.query(MOVE, [lastAccount, day]);
  },
};
