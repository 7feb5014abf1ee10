import type { Prepared, Queryable } from '../../infra/database/database.js';
import type { Role } from '../../kernel/accounts/roles.js';

export interface Member {
  readonly userId: string;
  readonly email: string;
  readonly role: Role;
  /** The user whose own account this is, or who created the organization. Always an owner. */
  readonly isPrimaryOwner: boolean;
  readonly joinedAt: Date;
}

export interface Organization {
  readonly id: string;
  /** The name of an organization, or the address of a user's account. */
  readonly name: string;
  readonly role: Role;
  /** Nobody can open a suspended organization. */
  readonly isSuspended: boolean;
}

/**
 * Maximum members of an organization, not counting its primary owner. Also the maximum organizations of a user, not
 * counting their own account.
 */
export const MAX_MEMBERS = 100;

const ADD: Prepared = {
  name: 'member_add',
  text: `INSERT INTO memberships (account_id, user_id, role)
         SELECT $1, $2, $3
          WHERE (SELECT count(*) FROM memberships WHERE account_id = $1 AND user_id <> $2) < ${MAX_MEMBERS}
            AND (SELECT count(*) FROM memberships WHERE user_id = $2 AND account_id <> $1) < ${MAX_MEMBERS}
         ON CONFLICT (account_id, user_id) DO UPDATE SET role = excluded.role RETURNING user_id`,
};

const LIST: Prepared = {
  name: 'member_list',
  text: `SELECT id AS "userId", email, 'owner' AS role, true AS "isPrimaryOwner", created_at AS "joinedAt"
           FROM accounts WHERE id = $1 AND owner_id IS NULL
         UNION ALL
         (SELECT m.user_id, u.email, m.role, m.user_id IS NOT DISTINCT FROM a.owner_id, m.created_at
            FROM memberships m JOIN accounts u ON u.id = m.user_id JOIN accounts a ON a.id = m.account_id
           WHERE m.account_id = $1 ORDER BY m.user_id IS NOT DISTINCT FROM a.owner_id DESC, m.created_at, m.user_id)`,
};

/** Foreign keys need only a key share lock of this row, so this lock does not block jobs and keys. */
const LOCK: Prepared = {
  name: 'member_lock',
  text: 'SELECT id FROM accounts WHERE id = $1 FOR NO KEY UPDATE',
};

const FIND: Prepared = {
  name: 'member_find',
  text: `SELECT m.user_id AS "userId", u.email, m.role, m.user_id IS NOT DISTINCT FROM a.owner_id AS "isPrimaryOwner",
                m.created_at AS "joinedAt"
           FROM memberships m JOIN accounts u ON u.id = m.user_id JOIN accounts a ON a.id = m.account_id
          WHERE m.account_id = $1 AND m.user_id = $2`,
};

const HAS_EMAIL: Prepared = {
  name: 'member_has_email',
  text: `SELECT 1 FROM accounts u WHERE lower(u.email) = lower($2)
            AND (u.id = $1 OR EXISTS (SELECT FROM memberships m WHERE m.account_id = $1 AND m.user_id = u.id))`,
};

const SET_ROLE: Prepared = {
  name: 'member_set_role',
  text: 'UPDATE memberships SET role = $3 WHERE account_id = $1 AND user_id = $2',
};

const REMOVE: Prepared = {
  name: 'member_remove',
  text: 'DELETE FROM memberships WHERE account_id = $1 AND user_id = $2',
};

const REMOVE_FROM_ALL: Prepared = {
  name: 'member_remove_from_all',
  text: `DELETE FROM memberships WHERE user_id = $1 AND account_id <> $1
          RETURNING account_id AS "accountId", role`,
};

/** Returns the user's sessions in the organization to the user's own account. */
const LEAVE_SESSIONS: Prepared = {
  name: 'member_leave_sessions',
  text: 'UPDATE sessions SET current_account_id = NULL WHERE account_id = $2 AND current_account_id = $1',
};

/** Tells every api process to check the event streams of the user. */
const NOTIFY: Prepared = { name: 'member_notify', text: `SELECT pg_notify('session_ended', $1)` };

const ORGANIZATIONS: Prepared = {
  name: 'member_organizations',
  text: `SELECT id, email AS name, 'owner' AS role, false AS "isSuspended" FROM accounts WHERE id = $1
         UNION ALL
         (SELECT a.id, coalesce(a.name, a.email), m.role, a.suspended_at IS NOT NULL FROM memberships m JOIN accounts a ON a.id = m.account_id
           WHERE m.user_id = $1 ORDER BY lower(coalesce(a.name, a.email)))`,
};

const SWITCH: Prepared = {
  name: 'member_switch',
  text: `UPDATE sessions s SET current_account_id = $2
          WHERE token_hash = $1
            AND ($2 = s.account_id OR EXISTS (
                  SELECT FROM memberships m JOIN accounts a ON a.id = m.account_id AND a.suspended_at IS NULL
                   WHERE m.account_id = $2 AND m.user_id = s.account_id))
         RETURNING account_id`,
};

const SUSPENSION: Prepared = {
  name: 'member_suspension',
  text: `SELECT coalesce(a.suspended_reason, '') AS reason FROM memberships m JOIN accounts a ON a.id = m.account_id
          WHERE m.account_id = $1 AND m.user_id = $2 AND a.suspended_at IS NOT NULL`,
};

/** Members of organizations. The first argument after the connection is the account, unless it is named `userId`. */
export const membersRepository = {
  /** Adds a member or changes its role. @returns false when the account or the user has `MAX_MEMBERS` already */
  async add(tx: Queryable, accountId: string, userId: string, role: Role): Promise<boolean> {
    const isMember = (await tx.query(ADD, [accountId, userId, role])).length > 0;
    if (isMember) await tx.query(NOTIFY, [userId]);
    return isMember;
  },

  /** The primary owner first, then in the order of joining. */
  async list(on: Queryable, accountId: string): Promise<Member[]> {
    return on.query<Member>(LIST, [accountId]);
  },

  /**
   * Serializes changes to the members of one organization until the transaction ends. Reads after this call include
   * every earlier change.
   */
  async lock(tx: Queryable, accountId: string): Promise<void> {
    await tx.query(LOCK, [accountId]);
  },

  /** Undefined for nonmembers, and for the primary owner, who has no row. */
  async find(on: Queryable, accountId: string, userId: string): Promise<Member | undefined> {
    return (await on.query<Member>(FIND, [accountId, userId]))[0];
  },

  /** Whether the user with this address is a member, the primary owner included. */
  async hasEmail(on: Queryable, accountId: string, email: string): Promise<boolean> {
    return (await on.query(HAS_EMAIL, [accountId, email])).length > 0;
  },

  async setRole(tx: Queryable, accountId: string, userId: string, role: Role): Promise<void> {
    await tx.query(SET_ROLE, [accountId, userId, role]);
    await tx.query(NOTIFY, [userId]);
  },

  async remove(tx: Queryable, accountId: string, userId: string): Promise<void> {
    await tx.query(REMOVE, [accountId, userId]);
    await tx.query(LEAVE_SESSIONS, [accountId, userId]);
    await tx.query(NOTIFY, [userId]);
  },

  /** Of organizations only, for a user who is about to be deleted. @returns them, and the role in each */
  async removeFromAll(
    tx: Queryable,
    userId: string,
  ): Promise<{ readonly accountId: string; readonly role: Role }[]> {
    return tx.query(REMOVE_FROM_ALL, [userId]);
  },

  /** The user's own account first, then sorted by name. */
  async organizationsOf(on: Queryable, userId: string): Promise<Organization[]> {
    return on.query<Organization>(ORGANIZATIONS, [userId]);
  },

  /** Why the organization is suspended; undefined for one that is not, and for nonmembers. */
  async suspensionOf(on: Queryable, accountId: string, userId: string): Promise<string | undefined> {
    return (await on.query<{ reason: string }>(SUSPENSION, [accountId, userId]))[0]?.reason;
  },

  /** @returns whether the session is now in that organization; false when its user is not a member, or it is suspended */
  async switch(tx: Queryable, tokenHash: Buffer, userId: string, accountId: string): Promise<boolean> {
    const isSwitched = (await tx.query(SWITCH, [tokenHash, accountId])).length > 0;
    if (isSwitched) await tx.query(NOTIFY, [userId]);
    return isSwitched;
  },
};
