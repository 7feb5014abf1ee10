import { Injectable } from '@nestjs/common';
import { Database, type Prepared, type Queryable } from '../../infra/database/database.js';
import { ENDPOINT_COLUMNS, type Endpoint } from '../endpoints/endpoint.entity.js';

/** The URL of the row that keeps an account's callback secret. It receives nothing. */
const SECRET_ROW_URL = '';

const FIND: Prepared = {
  name: 'callback_host_find',
  text: `SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoints WHERE account_id = $1 AND url = $2 AND callback`,
};

/** Held until the transaction ends, so that the secret is not replaced meanwhile. */
const SHARE_SECRET: Prepared = { name: 'callback_secret_share', text: `${FIND.text} FOR SHARE` };

const LOCK_SECRET: Prepared = { name: 'callback_secret_lock', text: `${FIND.text} FOR UPDATE` };

/** Two requests may add the same host at once; `$6` is the largest number of rows. */
const INSERT: Prepared = {
  name: 'callback_host_insert',
  text: `INSERT INTO webhook_endpoints (id, account_id, url, events, description, metadata, enabled, sealed_secret,
           previous_secrets, created_at, updated_at, callback)
         SELECT $1, $2, $3, '{}', NULL, '{}', true, $4, $5::jsonb, now(), now(), true
          WHERE (SELECT count(*) FROM webhook_endpoints WHERE account_id = $2 AND callback) < $6::int
         ON CONFLICT (account_id, url) WHERE callback DO NOTHING`,
};

/** The time of the last use is exact to a day. */
const USE: Prepared = {
  name: 'callback_host_use',
  text: `UPDATE webhook_endpoints SET enabled = true, disabled_reason = NULL, updated_at = now(),
           first_failure_at = CASE WHEN enabled THEN first_failure_at END,
           paused_until = CASE WHEN enabled THEN paused_until END
          WHERE id = $1 AND (NOT enabled OR updated_at < now() - interval '1 day')`,
};

const ALL: Prepared = {
  name: 'callback_host_all',
  text: `SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoints WHERE account_id = $1 AND callback ORDER BY id`,
};

const REPLACE_SECRET: Prepared = {
  name: 'callback_secret_replace',
  text: `UPDATE webhook_endpoints SET sealed_secret = $2, previous_secrets = $3::jsonb WHERE id = $1`,
};
type Secrets = Pick<Endpoint, 'id' | 'sealedSecret' | 'previousSecrets'>;

/** The hosts that jobs of an account call back, as endpoints that no list shows. */
@Injectable()
export class CallbackHostsRepository {
  constructor(private readonly database: Database) {}

  async find(on: Queryable, accountId: string, origin: string): Promise<Endpoint | undefined> {
    return (await on.query<Endpoint>(FIND, [accountId, origin]))[0];
  }

  /** Does nothing when the host exists, or when the account has `max` rows. */
  async insert(
    tx: Queryable,
    accountId: string,
    origin: string,
    secrets: Secrets,
    max: number,
  ): Promise<void> {
    const { id, sealedSecret, previousSecrets } = secrets;
    const values = [id, accountId, origin, sealedSecret, JSON.stringify(previousSecrets), max];
    await tx.query(INSERT, values);
  }

  /** Enables a host that was disabled after failures, and notes that it is in use. */
  async use(tx: Queryable, id: string): Promise<void> {
    await tx.query(USE, [id]);
  }

  /** The row with the account's secret; undefined before there is one. */
  async secret(accountId: string): Promise<Endpoint | undefined> {
    return this.find(this.database, accountId, SECRET_ROW_URL);
  }

  /** Like `secret`, protected from a replacement until the transaction ends. */
  async sharedSecret(tx: Queryable, accountId: string): Promise<Endpoint | undefined> {
    return (await tx.query<Endpoint>(SHARE_SECRET, [accountId, SECRET_ROW_URL]))[0];
  }

  /** Like `secret`, locked for its replacement. */
  async lockedSecret(tx: Queryable, accountId: string): Promise<Endpoint | undefined> {
    return (await tx.query<Endpoint>(LOCK_SECRET, [accountId, SECRET_ROW_URL]))[0];
  }

  async insertSecret(tx: Queryable, accountId: string, secrets: Secrets): Promise<void> {
    await this.insert(tx, accountId, SECRET_ROW_URL, secrets, 1_000_000);
  }

  /** All hosts and the row of the secret. */
  async all(tx: Queryable, accountId: string): Promise<readonly Endpoint[]> {
    return tx.query<Endpoint>(ALL, [accountId]);
  }

  async replaceSecret(tx: Queryable, { id, sealedSecret, previousSecrets }: Secrets): Promise<void> {
    await tx.query(REPLACE_SECRET, [id, sealedSecret, JSON.stringify(previousSecrets)]);
  }
}
