import type { Prepared, Queryable } from '../../infra/database/database.js';

/** Held until the end of the transaction. The organization is locked first. */
const LOCK: Prepared = {
  name: 'invitation_mails_lock',
  text: `SELECT pg_advisory_xact_lock(hashtextextended('invitation mail:' || lower($1), 0))`,
};

/**
 * `now()` is the start of the transaction. A transaction that waited for the lock may be older than the mails it
 * counts.
 */
const counted = (condition: string): string => `
  SELECT count(*)::int AS count,
         extract(epoch FROM min(created_at) + interval '1 hour' - clock_timestamp())::float8 AS "freeInSeconds"
    FROM invitations WHERE ${condition} AND mail_id IS NOT NULL AND created_at > now() - interval '1 hour'`;

const BY_INVITER: Prepared = {
  name: 'invitation_mails_by_inviter',
  text: counted('(account_id = $1 OR invited_by = $2)'),
};

const TO_ADDRESS: Prepared = {
  name: 'invitation_mails_to_address',
  text: counted('lower(email) = lower($1)'),
};

/** Invitations that were mailed within the last hour. */
export interface MailedInvitations extends Record<string, unknown> {
  readonly count: number;
  /** Seconds until the oldest of them no longer counts; null if there are none. */
  readonly freeInSeconds: number | null;
}

/** Counts mailed invitations, including those that were replaced or revoked. */
export const invitationMailsRepository = {
  /**
   * Makes the second of two transactions for one user or one address wait, so that it counts the mails of the first.
   */
  async lock(tx: Queryable, inviterId: string, email: string): Promise<void> {
    for (const name of [inviterId, email]) await tx.query(LOCK, [name]);
  },

  async lastHour(
    tx: Queryable,
    accountId: string,
    inviterId: string,
    email: string,
  ): Promise<{ readonly byInviter: MailedInvitations; readonly toAddress: MailedInvitations }> {
    const [byInviter] = await tx.query<MailedInvitations>(BY_INVITER, [accountId, inviterId]);
    const [toAddress] = await tx.query<MailedInvitations>(TO_ADDRESS, [email]);
    return { byInviter: byInviter!, toAddress: toAddress! };
  },
};
