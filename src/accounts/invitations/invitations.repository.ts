import type { Prepared, Queryable } from '../../infra/database/database.js';
import type { Role } from '../../kernel/accounts/roles.js';
import { discardMails } from '../../mail/discard-mails.js';
import { type Invitation, INVITATION_DAYS } from './invitation.js';

export interface NewInvitation {
  readonly id: string;
  readonly accountId: string;
  readonly email: string;
  readonly role: Role;
  readonly tokenHash: Buffer;
  readonly invitedBy: string;
  /** The email that contains the link; null when it is not mailed. */
  readonly mailId: string | null;
}

const SELECT = `
  SELECT i.id, i.account_id AS "accountId", coalesce(a.name, a.email) AS organization,
         a.suspended_at IS NOT NULL AS "isSuspended", i.email, i.role, u.email AS "invitedBy",
         i.created_at AS "createdAt", i.expires_at AS "expiresAt", i.expires_at <= now() AS "isExpired",
         i.revoked_at IS NOT NULL AS "isRevoked", i.accepted_by AS "acceptedBy", i.mail_id AS "mailId",
         CASE WHEN m.status IN ('pending', 'sent') THEN m.status WHEN m.status IS NOT NULL THEN 'failed' END AS "mailStatus"
    FROM invitations i
    JOIN accounts a ON a.id = i.account_id
    JOIN accounts u ON u.id = i.invited_by
    LEFT JOIN mails m ON m.id = i.mail_id`;

const IS_OPEN = 'revoked_at IS NULL AND accepted_at IS NULL';

const INSERT: Prepared = {
  name: 'invitation_insert',
  text: `INSERT INTO invitations (id, account_id, email, role, token_hash, invited_by, mail_id, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, now() + interval '${INVITATION_DAYS} days')`,
};

const FIND: Prepared = { name: 'invitation_find', text: `${SELECT} WHERE i.account_id = $1 AND i.id = $2` };

const FIND_BY_TOKEN: Prepared = {
  name: 'invitation_find_by_token',
  text: `${SELECT} WHERE i.token_hash = $1`,
};

const FIND_OPEN: Prepared = {
  name: 'invitation_find_open',
  text: `${SELECT} WHERE i.account_id = $1 AND lower(i.email) = lower($2) AND ${IS_OPEN}`,
};

const LIST_OPEN: Prepared = {
  name: 'invitation_list_open',
  text: `${SELECT} WHERE i.account_id = $1 AND ${IS_OPEN} ORDER BY i.created_at DESC, i.id DESC`,
};

const COUNTS: Prepared = {
  name: 'invitation_counts',
  text: `SELECT count(*) FILTER (WHERE ${IS_OPEN})::int AS open,
                count(*) FILTER (WHERE created_at > now() - interval '1 day')::int AS today
           FROM invitations WHERE account_id = $1`,
};

const REVOKE: Prepared = {
  name: 'invitation_revoke',
  text: 'UPDATE invitations SET revoked_at = now() WHERE id = $1 RETURNING mail_id AS "mailId"',
};

const REVOKE_OF: Prepared = {
  name: 'invitation_revoke_of',
  text: `UPDATE invitations SET revoked_at = now()
          WHERE account_id = $1 AND invited_by = $2 AND role = ANY ($3::text[]) AND ${IS_OPEN}
         RETURNING id, email, role, mail_id AS "mailId"`,
};

const ACCEPT: Prepared = {
  name: 'invitation_accept',
  text: 'UPDATE invitations SET accepted_at = now(), accepted_by = $2 WHERE id = $1 RETURNING mail_id AS "mailId"',
};

const MAILED_BY: Prepared = {
  name: 'invitation_mailed_by',
  text: 'SELECT mail_id AS "mailId" FROM invitations WHERE invited_by = $1 AND mail_id IS NOT NULL',
};

type Mailed = Pick<Invitation, 'mailId'>;
type Revoked = Pick<Invitation, 'id' | 'email' | 'role' | 'mailId'>;

/**
 * Invitations to organizations. An invitation stays open until it is accepted or revoked, even after it expires. Once
 * it is closed, its email is no longer sent.
 */
export const invitationsRepository = {
  async insert(tx: Queryable, given: NewInvitation): Promise<void> {
    const { id, accountId, email, role, tokenHash, invitedBy, mailId } = given;
    await tx.query(INSERT, [id, accountId, email, role, tokenHash, invitedBy, mailId]);
  },

  async find(on: Queryable, accountId: string, id: string): Promise<Invitation | undefined> {
    return (await on.query<Invitation>(FIND, [accountId, id]))[0];
  },

  async findByToken(on: Queryable, tokenHash: Buffer): Promise<Invitation | undefined> {
    return (await on.query<Invitation>(FIND_BY_TOKEN, [tokenHash]))[0];
  },

  async findOpen(on: Queryable, accountId: string, email: string): Promise<Invitation | undefined> {
    return (await on.query<Invitation>(FIND_OPEN, [accountId, email]))[0];
  },

  /** Newest first. */
  async listOpen(on: Queryable, accountId: string): Promise<Invitation[]> {
    return on.query<Invitation>(LIST_OPEN, [accountId]);
  },

  /** The number of open invitations, and of all that were created within a day. */
  async counts(on: Queryable, accountId: string): Promise<{ readonly open: number; readonly today: number }> {
    return (await on.query<{ open: number; today: number }>(COUNTS, [accountId]))[0]!;
  },

  async revoke(tx: Queryable, id: string): Promise<void> {
    await discardMailOf(tx, await tx.query<Mailed>(REVOKE, [id]));
  },

  /** Revokes the open invitations from this member that grant one of these roles. @returns the revoked invitations */
  async revokeOf(
    tx: Queryable,
    accountId: string,
    userId: string,
    roles: readonly Role[],
  ): Promise<Revoked[]> {
    const revoked = await tx.query<Revoked>(REVOKE_OF, [accountId, userId, roles]);
    await discardMailOf(tx, revoked);
    return revoked;
  },

  async accept(tx: Queryable, id: string, userId: string): Promise<void> {
    await discardMailOf(tx, await tx.query<Mailed>(ACCEPT, [id, userId]));
  },

  /**
   * Discards the mails of invitations from a user who is about to be deleted, because the invitations are deleted, too.
   */
  async discardMailsBy(tx: Queryable, userId: string): Promise<void> {
    await discardMailOf(tx, await tx.query<Mailed>(MAILED_BY, [userId]));
  },
};

function discardMailOf(tx: Queryable, invitations: readonly Mailed[]): Promise<void> {
  return discardMails(
    tx,
    invitations.map(({ mailId }) => mailId),
  );
}
