import { Injectable } from '@nestjs/common';
import { accountSuspended } from '../account-suspended.js';
import { Database, type Prepared, type Queryable } from '../../infra/database/database.js';
import type { StoredCredential } from '../../infra/passkeys/web-authn.js';

/** The id in the dashboard. The id of the credential can be too long for an address. */
const ID = `left(encode(sha256(convert_to(credential_id, 'UTF8')), 'hex'), 32)`;

const LIST: Prepared = {
  name: 'passkeys_list',
  text: `SELECT ${ID} AS id, name, rp_id AS "rpId", created_at AS "createdAt", last_used_at AS "lastUsedAt"
           FROM passkeys WHERE account_id = $1 ORDER BY created_at, credential_id`,
};

const CREDENTIALS: Prepared = {
  name: 'passkeys_credentials',
  text: `SELECT credential_id AS "credentialId", transports FROM passkeys WHERE account_id = $1 AND rp_id = $2`,
};

const COUNT: Prepared = {
  name: 'passkeys_count',
  text: 'SELECT count(*)::int AS count FROM passkeys WHERE account_id = $1',
};

const ADD: Prepared = {
  name: 'passkey_add',
  text: `INSERT INTO passkeys (credential_id, account_id, rp_id, public_key, counter, transports, name)
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING RETURNING ${ID} AS id`,
};

const RENAME: Prepared = {
  name: 'passkey_rename',
  text: `UPDATE passkeys SET name = $3 WHERE account_id = $1 AND ${ID} = $2 RETURNING credential_id`,
};

const REMOVE: Prepared = {
  name: 'passkey_remove',
  text: `DELETE FROM passkeys WHERE account_id = $1 AND ${ID} = $2 RETURNING name`,
};

const FIND: Prepared = {
  name: 'passkey_find',
  text: `SELECT account_id AS "accountId", credential_id AS "credentialId", rp_id AS "rpId",
                public_key AS "publicKey", counter::float8 AS counter, transports
           FROM passkeys WHERE credential_id = $1`,
};

/** In the order in which the deletion of an account locks. */
const KEEP_ACCOUNT: Prepared = {
  name: 'passkey_keep_account',
  text: `SELECT CASE WHEN suspended_at IS NOT NULL THEN coalesce(suspended_reason, '') END AS "suspendedReason"
           FROM accounts WHERE id = $1 FOR SHARE`,
};

/** Counters only rise: a lower or equal one comes from a copy of the passkey. Many authenticators always send 0. */
const USE: Prepared = {
  name: 'passkey_use',
  text: `UPDATE passkeys SET counter = $3, last_used_at = now()
          WHERE credential_id = $1 AND account_id = $2 AND (counter < $3 OR (counter = 0 AND $3 = 0))
         RETURNING ${ID} AS id`,
};

/** A passkey as its user sees it. */
export interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly rpId: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

export interface FoundPasskey extends StoredCredential {
  readonly accountId: string;
  readonly rpId: string;
}

export interface NewPasskey {
  readonly accountId: string;
  readonly rpId: string;
  readonly name: string;
  readonly credential: StoredCredential;
}

@Injectable()
export class PasskeysRepository {
  constructor(private readonly database: Database) {}

  list(accountId: string): Promise<Passkey[]> {
    return this.database.query<Passkey>(LIST, [accountId]);
  }

  /** Those of one address, which an authenticator must not create again. */
  credentials(accountId: string, rpId: string): Promise<{ credentialId: string; transports: string[] }[]> {
    return this.database.query(CREDENTIALS, [accountId, rpId]);
  }

  /** The number of passkeys, which does not change while the account is locked. */
  async count(tx: Queryable, accountId: string): Promise<number> {
    return (await tx.query<{ count: number }>(COUNT, [accountId]))[0]!.count;
  }

  /** @returns its id; undefined when it exists already */
  async add(tx: Queryable, { accountId, rpId, name, credential }: NewPasskey): Promise<string | undefined> {
    const { credentialId, publicKey, counter, transports } = credential;
    const values = [credentialId, accountId, rpId, Buffer.from(publicKey), counter, transports, name];
    return (await tx.query<{ id: string }>(ADD, values))[0]?.id;
  }

  /** @returns whether there is such a passkey of this user */
  async rename(tx: Queryable, accountId: string, id: string, name: string): Promise<boolean> {
    return (await tx.query(RENAME, [accountId, id, name])).length > 0;
  }

  /** @returns its name; undefined when there is no such passkey of this user */
  async remove(tx: Queryable, accountId: string, id: string): Promise<string | undefined> {
    return (await tx.query<{ name: string }>(REMOVE, [accountId, id]))[0]?.name;
  }

  async find(credentialId: string): Promise<FoundPasskey | undefined> {
    return (await this.database.query<FoundPasskey>(FIND, [credentialId]))[0];
  }

  /**
   * @returns its id; undefined when it was removed, or the counter was used before
   * @throws AppError `account_suspended`
   */
  async use(
    tx: Queryable,
    { accountId, credentialId }: FoundPasskey,
    counter: number,
  ): Promise<string | undefined> {
    const [account] = await tx.query<{ suspendedReason: string | null }>(KEEP_ACCOUNT, [accountId]);
    if (account === undefined) return undefined;
    if (account.suspendedReason !== null) throw accountSuspended(account.suspendedReason);
    return (await tx.query<{ id: string }>(USE, [credentialId, accountId, counter]))[0]?.id;
  }
}
