import type { Prepared, Queryable } from '../../../infra/database/database.js';

/** The id in the dashboard: a subject can be too long for an address. */
const ID = `left(encode(sha256(convert_to(issuer || E'\\n' || subject, 'UTF8')), 'hex'), 32)`;

const LIST: Prepared = {
  name: 'linked_identities_list',
  text: `SELECT ${ID} AS id, issuer, subject, created_at AS "createdAt"
           FROM oidc_identities WHERE account_id = $1 ORDER BY created_at, issuer, subject`,
};

const UNLINK: Prepared = {
  name: 'linked_identity_unlink',
  text: `DELETE FROM oidc_identities WHERE account_id = $1 AND ${ID} = $2 RETURNING issuer`,
};

/** Whether the account still has a password that has not expired, a passkey, or an identity. */
const CAN_SIGN_IN: Prepared = {
  name: 'linked_identity_can_sign_in',
  text: `SELECT (a.password_hash IS NOT NULL AND (a.password_expires_at IS NULL OR a.password_expires_at >= now()))
                OR EXISTS (SELECT FROM passkeys p WHERE p.account_id = a.id)
                OR EXISTS (SELECT FROM oidc_identities i WHERE i.account_id = a.id) AS can
           FROM accounts a WHERE a.id = $1`,
};

export interface LinkedIdentity {
  readonly id: string;
  /** URL of the provider. */
  readonly issuer: string;
  /** How the provider identifies the user. */
  readonly subject: string;
  readonly createdAt: Date;
}

/** Identities that are linked to an account. */
export const linkedIdentitiesRepository = {
  /** The oldest first. */
  async list(on: Queryable, accountId: string): Promise<LinkedIdentity[]> {
    return on.query<LinkedIdentity>(LIST, [accountId]);
  },

  /** @returns its issuer; undefined when the account has no such identity */
  async unlink(tx: Queryable, accountId: string, id: string): Promise<string | undefined> {
    return (await tx.query<{ issuer: string }>(UNLINK, [accountId, id]))[0]?.issuer;
  },

  async canSignIn(tx: Queryable, accountId: string): Promise<boolean> {
    return (await tx.query<{ can: boolean }>(CAN_SIGN_IN, [accountId]))[0]?.can ?? false;
  },
};
