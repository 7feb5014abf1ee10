import { Injectable } from '@nestjs/common';
import { auditLog } from '../../audit/audit-log.js';
import type { Session } from '../../auth/sessions/session.js';
import { Database, type Prepared, type Queryable } from '../../infra/database/database.js';
import { AppError } from '../../kernel/app-error.js';
import { hashSecretToken, newSecretToken } from '../../kernel/secret-token.js';

/** How long an operator can view an account before signing in as the customer again. */
export const IMPERSONATION_MINUTES = 60;
/** How long a link is valid. */
export const IMPERSONATION_LINK_MINUTES = 15;

/** Only while the user has the role, and only for an existing account. Waits if the account is being deleted. */
const START: Prepared = {
  name: 'impersonation_start',
  text: `UPDATE sessions s SET impersonated_account_id = a.id, impersonation_started_at = now(),
                             impersonation_expires_at = now() + $3::int * interval '1 minute'
           FROM (SELECT id FROM accounts WHERE id = $2 FOR KEY SHARE) a, accounts u
          WHERE s.token_hash = $1 AND u.id = s.account_id AND u.operator_since IS NOT NULL
         RETURNING s.account_id`,
};

const ISSUE_LINK: Prepared = {
  name: 'impersonation_issue_link',
  text: `INSERT INTO impersonation_links (token_hash, account_id, reason, expires_at)
         VALUES ($1, $2, $3, now() + ${IMPERSONATION_LINK_MINUTES} * interval '1 minute')`,
};

const USE_LINK: Prepared = {
  name: 'impersonation_use_link',
  text: `DELETE FROM impersonation_links WHERE token_hash = $1 AND expires_at > now()
         RETURNING account_id AS "accountId", reason`,
};

const END: Prepared = {
  name: 'impersonation_end',
  text: 'UPDATE sessions SET impersonated_account_id = NULL WHERE token_hash = $1 AND impersonated_account_id IS NOT NULL',
};

const NOTIFY: Prepared = { name: 'impersonation_notify', text: `SELECT pg_notify('session_ended', $1)` };

/**
 * Lets an operator see the dashboard as a customer does, read-only. The audit log of the customer has an event before
 * the first response, and a trigger writes the event of the end.
 */
@Injectable()
export class Impersonations {
  constructor(private readonly database: Database) {}

  /**
   * @param reason for the audit log
   * @throws AppError `own_account`; `not_found` when the account was deleted in the meantime
   */
  async start(session: Session, accountId: string, reason: string): Promise<void> {
    await this.database.transaction((tx) => startIn(tx, session, accountId, reason));
  }

  /**
   * Issues a link with which an operator, signed in with their own account, signs in as a customer once.
   * @param reason for the audit log
   * @returns its token, which is not stored
   */
  async issueLink(accountId: string, reason: string): Promise<string> {
    const token = newSecretToken();
    await this.database.transaction(async (tx) => {
      await tx.query(ISSUE_LINK, [hashSecretToken(token), accountId, reason]);
      await auditLog.record(tx, { action: 'impersonation.link_issued', accountId, details: { reason } });
    });
    return token;
  }

  /**
   * Like `start`, but with a link, which can be used only once.
   * @throws AppError `link_not_valid` when the link has expired or was used; `own_account`, which does not use the link
   */
  async startByLink(session: Session, token: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      const [link] = await tx.query<{ accountId: string; reason: string }>(USE_LINK, [
        hashSecretToken(token),
      ]);
      if (link === undefined) throw new AppError('link_not_valid');
      await startIn(tx, session, link.accountId, link.reason);
    });
  }

  /** Ends an impersonation. Does nothing when it has already ended. */
  async end({ token }: Session): Promise<void> {
    await this.database.query(END, [hashSecretToken(token)]);
  }
}

async function startIn(
  tx: Queryable,
  { user, token }: Session,
  accountId: string,
  reason: string,
): Promise<void> {
  if (user.id === accountId) throw new AppError('own_account');
  const values = [hashSecretToken(token), accountId, IMPERSONATION_MINUTES];
  if ((await tx.query(START, values)).length === 0) throw new AppError('not_found');
  await auditLog.record(tx, { action: 'impersonation.started', accountId, details: { reason } });
  await tx.query(NOTIFY, [user.id]);
}
