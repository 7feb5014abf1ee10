import type { Prepared, Queryable } from '../../infra/database/database.js';
import type { Role } from '../../kernel/accounts/roles.js';
import type { Language } from '../language.js';
import type { AccountNotice, DueNotice } from './account-notice.js';
import type { NoticeTopic } from './notification-settings.repository.js';

/** A notice that could not be sent within this time, for example because mail was off, is dropped. */
const STALE_AFTER = '1 day';

/** Two dispatchers never take the same rows. */
const TAKE: Prepared = {
  name: 'account_notices_take',
  text: `SELECT n.id, n.account_id AS "accountId", coalesce(a.name, a.email) AS "accountName", n.kind, n.data, n.created_at AS "createdAt",
                n.created_at < now() - interval '${STALE_AFTER}' AS "isStale"
           FROM account_notices n JOIN accounts a ON a.id = n.account_id
          WHERE n.done_at IS NULL ORDER BY n.id LIMIT $1 FOR UPDATE OF n SKIP LOCKED`,
};

const ADD: Prepared = {
  name: 'account_notices_add',
  text: `INSERT INTO account_notices (account_id, kind, key, data) VALUES ($1, $2, clock_timestamp()::text, $3::jsonb)`,
};

const FINISH: Prepared = {
  name: 'account_notices_finish',
  text: 'UPDATE account_notices SET done_at = now() WHERE id = ANY ($1::bigint[])',
};

/**
 * The primary owner of a user's own account has no membership. $2: roles; $3: the topic that must not be off; null: all
 * recipients.
 */
const RECIPIENTS: Prepared = {
  name: 'account_notices_recipients',
  text: `WITH people AS (
           SELECT id FROM accounts WHERE id = $1 AND owner_id IS NULL
           UNION
           SELECT user_id FROM memberships WHERE account_id = $1 AND role = ANY ($2::text[]))
         SELECT u.id, u.email, coalesce(s.language, 'en') AS language
           FROM people JOIN accounts u ON u.id = people.id LEFT JOIN notification_settings s ON s.user_id = u.id
          WHERE u.suspended_at IS NULL AND coalesce(CASE $3::text WHEN 'quota' THEN s.quota WHEN 'webhooks' THEN s.webhooks END, true)
          ORDER BY u.id`,
};

const RECENT: Prepared = {
  name: 'account_notices_recent',
  text: `SELECT count(*)::int AS count FROM account_notices
          WHERE account_id = $1 AND kind = $2 AND created_at > now() - interval '1 day'`,
};

/** The recipient of a notice, and the language. */
export interface NoticeRecipient {
  readonly id: string;
  readonly email: string;
  readonly language: Language;
}

/** Notices are written in the transaction of the event that they report, and become emails later. */
export const accountNoticesRepository = {
  /** Locks due notices until the end of the transaction, the oldest first. */
  async take(tx: Queryable, most: number): Promise<DueNotice[]> {
    return tx.query<DueNotice>(TAKE, [most]);
  },

  /** Call this in the transaction of the event. Every call adds a notice. */
  async add(tx: Queryable, accountId: string, { kind, ...data }: AccountNotice): Promise<void> {
    await tx.query(ADD, [accountId, kind, JSON.stringify(data)]);
  },

  async finish(tx: Queryable, ids: readonly string[]): Promise<void> {
    await tx.query(FINISH, [ids]);
  },

  async recipients(
    tx: Queryable,
    accountId: string,
    roles: readonly Role[],
    topic: NoticeTopic | null,
  ): Promise<NoticeRecipient[]> {
    return tx.query<NoticeRecipient>(RECIPIENTS, [accountId, roles, topic]);
  },

  /** The number of notices of this kind that an account got within a day. */
  async recent(tx: Queryable, accountId: string, kind: string): Promise<number> {
    return (await tx.query<{ count: number }>(RECENT, [accountId, kind]))[0]!.count;
  },
};
