import type { Prepared, Queryable } from '../../infra/database/database.js';
import { testAccountOf } from '../../kernel/accounts/livemode.js';
import type { Plan, PlanLimits } from '../../kernel/plans.js';
import type { Scope } from '../../kernel/scopes.js';
import type { ApiKeyEntity } from './api-key.entity.js';

/** A stored key, without its secret. */
export type StoredKey = Omit<ApiKeyEntity, 'hash' | 'accountId'>;

const COLUMNS = `id, name, livemode, prefix, last4, scopes, created_at AS "createdAt", last_used_at AS "lastUsedAt",
  expires_at AS "expiresAt", revoked_at AS "revokedAt", replaced_by AS "replacedBy", allowed_ips AS "allowedIps"`;

const IS_ACTIVE = `revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`;

const LOCK_ACCOUNT: Prepared = {
  name: 'api_key_lock_account',
  text: 'SELECT plan, limits FROM accounts WHERE id = $1 FOR NO KEY UPDATE',
};

/** A replaced key does not count while its successor is active. */
const COUNT_ACTIVE: Prepared = {
  name: 'api_key_count_active',
  text: `WITH active AS (SELECT id, replaced_by FROM api_keys WHERE account_id = $1 AND livemode = $2 AND ${IS_ACTIVE})
         SELECT count(*)::int AS active FROM active a
          WHERE NOT EXISTS (SELECT 1 FROM active b WHERE b.id = a.replaced_by)`,
};

/** Including keys that were revoked since. A wait of at least a second, so that a client never retries at once. */
const CREATED_RECENTLY: Prepared = {
  name: 'api_key_created_recently',
  text: `SELECT count(*)::int AS created,
                greatest(1, ceil(extract(epoch FROM min(created_at) + interval '1 hour' - now())))::int AS "waitSeconds"
           FROM api_keys WHERE account_id = $1 AND created_at > now() - interval '1 hour'`,
};

const INSERT: Prepared = {
  name: 'api_key_insert',
  text: `INSERT INTO api_keys (id, account_id, name, hash, prefix, last4, scopes, expires_at, allowed_ips, livemode)
         VALUES ($2, $1, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING ${COLUMNS}`,
};

/** The rows of test mode refer to it. Nobody can sign up with its email address, and its plan is never read. */
const ENSURE_TEST_ACCOUNT: Prepared = {
  name: 'api_key_ensure_test_account',
  text: `INSERT INTO accounts (id, email, plan) VALUES ($1, $1, 'free') ON CONFLICT DO NOTHING`,
};

const FIND: Prepared = {
  name: 'api_key_find',
  text: `SELECT ${COLUMNS}, (${IS_ACTIVE}) AS "isActive" FROM api_keys WHERE account_id = $1 AND id = $2`,
};

/** Null: keys of every state, from the newest, all of them. */
const LIST: Prepared = {
  name: 'api_key_list',
  text: `SELECT ${COLUMNS} FROM api_keys
          WHERE account_id = $1 AND ($2::boolean IS NULL OR (${IS_ACTIVE}) = $2) AND ($3::text IS NULL OR id < $3)
          ORDER BY id DESC LIMIT $4`,
};

const COUNT_INACTIVE: Prepared = {
  name: 'api_key_count_inactive',
  text: `SELECT count(*)::int AS inactive FROM api_keys WHERE account_id = $1 AND NOT (${IS_ACTIVE})`,
};

/** Never later than its own expiry. */
const REPLACE: Prepared = {
  name: 'api_key_replace',
  text: `UPDATE api_keys SET replaced_by = $3, expires_at = least(expires_at, now() + $4::float8 * interval '1 second')
          WHERE account_id = $1 AND id = $2 RETURNING ${COLUMNS}`,
};

/** In a chain of replaced keys, only the second to last may still work. */
const END_REPLACED: Prepared = {
  name: 'api_key_end_replaced',
  text: `UPDATE api_keys SET expires_at = now() WHERE account_id = $1 AND replaced_by = $2 AND ${IS_ACTIVE}`,
};

const UPDATE: Prepared = {
  name: 'api_key_update',
  text: `UPDATE api_keys SET name = $3, scopes = $4, expires_at = $5, allowed_ips = $6
          WHERE account_id = $1 AND id = $2 RETURNING ${COLUMNS}`,
};

const REVOKE: Prepared = {
  name: 'api_key_revoke',
  text: `UPDATE api_keys SET revoked_at = coalesce(revoked_at, now()) WHERE account_id = $1 AND id = $2 RETURNING name, revoked_at = now() AS "isNew"`,
};

export interface NewKey {
  readonly id: string;
  readonly name: string;
  readonly hash: Buffer;
  readonly prefix: string;
  readonly last4: string;
  readonly livemode: boolean;
  readonly scopes: readonly Scope[];
  readonly expiresAt: Date | null;
  readonly allowedIps: readonly string[] | null;
}

/** Which keys of an account to list. Without a field, all of them. */
export interface KeyFilter {
  /** Only keys that work, or only keys that were revoked or have expired. */
  readonly isActive?: boolean | undefined;
  /** Only keys that were created before this one. */
  readonly beforeId?: string | undefined;
  readonly maxRows?: number | undefined;
}

/** What the owner of a key may change. */
export type KeySettings = Pick<NewKey, 'name' | 'scopes' | 'expiresAt' | 'allowedIps'>;

/** The rows of an account's keys. Stateless: every function runs on the connection it is given. */
export const apiKeyRows = {
  /** Serializes changes of an account's keys, so that two requests cannot both use the last free slot. */
  async lockAccount(
    tx: Queryable,
    accountId: string,
  ): Promise<{ plan: Plan; limits: Partial<PlanLimits> | null } | undefined> {
    return (await tx.query<{ plan: Plan; limits: Partial<PlanLimits> | null }>(LOCK_ACCOUNT, [accountId]))[0];
  },

  /** Keys of one mode that count against its limit. */
  async countActive(on: Queryable, accountId: string, livemode: boolean): Promise<number> {
    return (await on.query<{ active: number }>(COUNT_ACTIVE, [accountId, livemode]))[0]!.active;
  },

  /** Keys of both modes that were created within the last hour, and when the first of them will be older. */
  async createdRecently(
    tx: Queryable,
    accountId: string,
  ): Promise<{ readonly created: number; readonly waitSeconds: number }> {
    return (await tx.query<{ created: number; waitSeconds: number }>(CREATED_RECENTLY, [accountId]))[0]!;
  },

  /** Creates the row that owns what the test keys of an account create. Idempotent. */
  async ensureTestAccount(tx: Queryable, accountId: string): Promise<void> {
    await tx.query(ENSURE_TEST_ACCOUNT, [testAccountOf(accountId)]);
  },

  async insert(tx: Queryable, accountId: string, key: NewKey): Promise<StoredKey> {
    const { id, name, hash, prefix, last4, scopes, expiresAt, allowedIps, livemode } = key;
    const values = [accountId, id, name, hash, prefix, last4, scopes, expiresAt, allowedIps, livemode];
    return (await tx.query<StoredKey>(INSERT, values))[0]!;
  },

  async find(
    on: Queryable,
    accountId: string,
    id: string,
  ): Promise<(StoredKey & { isActive: boolean }) | undefined> {
    return (await on.query<StoredKey & { isActive: boolean }>(FIND, [accountId, id]))[0];
  },

  /** Newest first. */
  async list(on: Queryable, accountId: string, filter: KeyFilter = {}): Promise<StoredKey[]> {
    const { isActive = null, beforeId = null, maxRows = null } = filter;
    return on.query<StoredKey>(LIST, [accountId, isActive, beforeId, maxRows]);
  },

  /** Keys of both modes that were revoked or have expired. */
  async countInactive(on: Queryable, accountId: string): Promise<number> {
    return (await on.query<{ inactive: number }>(COUNT_INACTIVE, [accountId]))[0]!.inactive;
  },

  /** Keeps `id` working beside its successor for `overlapSeconds`. The key that `id` itself replaced expires now. */
  async replace(
    tx: Queryable,
    accountId: string,
    id: string,
    successorId: string,
    overlapSeconds: number,
  ): Promise<StoredKey> {
    await tx.query(END_REPLACED, [accountId, id]);
    const values = [accountId, id, successorId, overlapSeconds];
    return (await tx.query<StoredKey>(REPLACE, values))[0]!;
  },

  async update(tx: Queryable, accountId: string, id: string, settings: KeySettings): Promise<StoredKey> {
    const { name, scopes, expiresAt, allowedIps } = settings;
    const values = [accountId, id, name, scopes, expiresAt, allowedIps];
    return (await tx.query<StoredKey>(UPDATE, values))[0]!;
  },

  /** A key that was revoked before is not changed. @returns undefined when the account has no such key */
  async revoke(
    tx: Queryable,
    accountId: string,
    id: string,
  ): Promise<{ isNew: boolean; name: string } | undefined> {
    return (await tx.query<{ isNew: boolean; name: string }>(REVOKE, [accountId, id]))[0];
  },
};
