import type { Prepared, Queryable } from '../../infra/database/database.js';

/** An organization, as its primary owner and operators see it. */
export interface OwnedOrganization {
  readonly id: string;
  readonly name: string;
  readonly isSuspended: boolean;
}

/** The user who created an organization. */
export interface PrimaryOwner {
  readonly id: string;
  readonly email: string;
}

const OWNED: Prepared = {
  name: 'organizations_owned',
  text: `SELECT id, name, suspended_at IS NOT NULL AS "isSuspended" FROM accounts
          WHERE owner_id = $1 ORDER BY lower(name), id`,
};

const OWNER: Prepared = {
  name: 'organization_owner',
  text: 'SELECT o.id, o.email FROM accounts a JOIN accounts o ON o.id = a.owner_id WHERE a.id = $1',
};

/** Who owns which organization. */
export const ownership = {
  /** The organizations of a user, by name. A user owns ten at most. */
  async ownedBy(on: Queryable, userId: string): Promise<OwnedOrganization[]> {
    return on.query<OwnedOrganization>(OWNED, [userId]);
  },

  /** Null for the account of a user. */
  async ownerOf(on: Queryable, accountId: string): Promise<PrimaryOwner | null> {
    return (await on.query<PrimaryOwner>(OWNER, [accountId]))[0] ?? null;
  },
};
