import { Injectable } from '@nestjs/common';
import { Database, type Prepared, type Queryable } from '../../infra/database/database.js';
import type { OpenIdIdentity } from '../../infra/openid/openid-provider.js';
import { isTestAccountSql } from '../../kernel/accounts/livemode.js';
import { newId } from '../../kernel/ids.js';

const FIND: Prepared = {
  name: 'oidc_identity_find',
  text: 'SELECT account_id AS "accountId" FROM oidc_identities WHERE issuer = $1 AND subject = $2',
};

const ADD: Prepared = {
  name: 'oidc_identity_add',
  text: `INSERT INTO oidc_identities (issuer, subject, account_id) VALUES ($1, $2, $3)
         ON CONFLICT DO NOTHING RETURNING account_id`,
};

const FIND_ACCOUNT: Prepared = {
  name: 'oidc_account_find',
  text: `SELECT id FROM accounts WHERE lower(email) = lower($1) AND owner_id IS NULL AND NOT ${isTestAccountSql('id')}`,
};

/** The provider has verified the address. */
const SIGN_UP: Prepared = {
  name: 'oidc_sign_up',
  text: `INSERT INTO accounts (id, email, plan, email_verified_at) VALUES ($1, $2, 'free', now())
         ON CONFLICT ((lower(email))) DO NOTHING RETURNING id`,
};

/** Of concurrent sign-ins, the second waits, and then sees what the first has changed. */
const LOCK_ACCOUNT: Prepared = {
  name: 'oidc_account_lock',
  text: `SELECT suspended_at IS NOT NULL AS "isSuspended" FROM accounts WHERE id = $1 FOR NO KEY UPDATE`,
};

const HAS_SIGN_IN: Prepared = {
  name: 'oidc_account_has_sign_in',
  text: `SELECT a.password_hash IS NOT NULL
                OR EXISTS (SELECT FROM passkeys p WHERE p.account_id = a.id)
                OR EXISTS (SELECT FROM oidc_identities i WHERE i.account_id = a.id) AS has
           FROM accounts a WHERE a.id = $1`,
};

type Subject = Pick<OpenIdIdentity, 'issuer' | 'subject'>;

/** Identities at the provider, and the accounts that they belong to. */
@Injectable()
export class OidcIdentitiesRepository {
  constructor(private readonly database: Database) {}

  /** The account that an identity belongs to. */
  async accountOf({ issuer, subject }: Subject, on: Queryable = this.database): Promise<string | undefined> {
    return (await on.query<{ accountId: string }>(FIND, [issuer, subject]))[0]?.accountId;
  }

  /** The account of a user with this address. */
  async accountWithEmail(email: string): Promise<string | undefined> {
    return (await this.database.query<{ id: string }>(FIND_ACCOUNT, [email]))[0]?.id;
  }

  /** @returns false when the identity belongs to an account already */
  async add(tx: Queryable, accountId: string, { issuer, subject }: Subject): Promise<boolean> {
    return (await tx.query(ADD, [issuer, subject, accountId])).length > 0;
  }

  /** Creates a Free account without a password. @returns its id; undefined when the address is taken */
  async signUp(tx: Queryable, email: string): Promise<string | undefined> {
    return (await tx.query<{ id: string }>(SIGN_UP, [newId('account'), email]))[0]?.id;
  }

  /** Locks the account until the transaction ends. @returns undefined when it was deleted */
  async lockAccount(tx: Queryable, accountId: string): Promise<{ isSuspended: boolean } | undefined> {
    return (await tx.query<{ isSuspended: boolean }>(LOCK_ACCOUNT, [accountId]))[0];
  }

  /** Whether the account has a password, a passkey, or an identity, so that its owner can prove ownership. */
  async hasSignIn(tx: Queryable, accountId: string): Promise<boolean> {
    return (await tx.query<{ has: boolean }>(HAS_SIGN_IN, [accountId]))[0]?.has ?? false;
  }
}
