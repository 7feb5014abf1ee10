import { Injectable } from '@nestjs/common';
import { auditLog } from '../../audit/audit-log.js';
import { Database, type Queryable } from '../../infra/database/database.js';
import { newId } from '../../kernel/ids.js';
import { AppError } from '../../kernel/app-error.js';
import { TEST_LIMITS } from '../../kernel/accounts/livemode.js';
import { effectiveLimits } from '../../kernel/plans.js';
import { secondsText } from '../../kernel/time/seconds-text.js';
import { AccountError, KeyLimitReached, KeyNotActive } from '../account-error.js';
import { generateApiKey } from './api-key.js';
import { requireCurrentRole } from '../sessions/current-role.js';
import type { Session } from '../sessions/session.js';
import { apiKeyRows, type KeyFilter, type KeySettings, type StoredKey } from './api-keys.repository.js';

/**
 * A key to be created: a live one unless `livemode` is false. Without `allowedIps` (networks in CIDR notation) it works
 * from any address.
 */
export type NewKeySettings = Omit<KeySettings, 'allowedIps'> &
  Partial<Pick<KeySettings, 'allowedIps'>> & { readonly livemode?: boolean };

/** What the owner of a key may change. */
const EDITABLE = ['name', 'scopes', 'expiresAt', 'allowedIps'] as const;

/**
 * Keys that members of an account can create in an hour, or all keys of the plan twice if that is more. A new key has a
 * full minute of requests, so replacing keys all the time would evade the rate limit; and lists contain revoked keys.
 */
const MAX_NEW_KEYS_PER_HOUR = 60;

export interface IssuedKey extends StoredKey {
  /** The secret, returned only here. */
  readonly key: string;
}

/**
 * The keys of an account, as its members and the operator manage them. A change from the dashboard is given its session
 * (`by`), which must still permit it when the account is locked.
 */
@Injectable()
export class ApiKeys {
  constructor(private readonly database: Database) {}

  /** Newest first. */
  list(accountId: string, filter?: KeyFilter): Promise<StoredKey[]> {
    return apiKeyRows.list(this.database, accountId, filter);
  }

  countInactive(accountId: string): Promise<number> {
    return apiKeyRows.countInactive(this.database, accountId);
  }

  countActive(accountId: string, livemode: boolean): Promise<number> {
    return apiKeyRows.countActive(this.database, accountId, livemode);
  }

  /** @throws KeyLimitReached; AppError `not_signed_in`, `insufficient_role`, `too_many_attempts` */
  create(accountId: string, order: NewKeySettings, by?: Session): Promise<IssuedKey> {
    return this.database.transaction((tx) => issueKey(tx, accountId, order, by));
  }

  /**
   * Replaces a key by one with the same name, scopes, expiry and allowed addresses. Both work for
   * `overlapSeconds`, so that clients can be updated one by one; meanwhile they count as one.
   * @throws KeyNotActive; AppError `not_signed_in`, `insufficient_role`, `too_many_attempts`
   */
  rotate(
    accountId: string,
    id: string,
    overlapSeconds: number,
    by?: Session,
  ): Promise<{ readonly issued: IssuedKey; readonly replaced: StoredKey }> {
    return this.database.transaction(async (tx) => {
      const account = await lockedAccount(tx, accountId, by);
      const old = await activeKey(tx, accountId, id);
      if (by !== undefined) await refuseTooManyNewKeys(tx, accountId, account);
      const issued = await insertKey(tx, accountId, old);
      const replaced = await apiKeyRows.replace(tx, accountId, id, issued.id, overlapSeconds);
      const details = { name: old.name, newKeyId: issued.id, overlapSeconds };
      await auditLog.record(tx, { action: 'key.rotated', accountId, targetId: id, details });
      return { issued, replaced };
    });
  }

  /**
   * Changes only the given fields of an active key that is not being replaced.
   * @throws KeyNotActive; AppError `not_signed_in`, `insufficient_role`
   */
  update(accountId: string, id: string, changes: Partial<KeySettings>, by?: Session): Promise<StoredKey> {
    return this.database.transaction(async (tx) => {
      await lockedAccount(tx, accountId, by);
      const key = await activeKey(tx, accountId, id);
      const after = { ...key, ...changes };
      const changed = EDITABLE.filter((field) => JSON.stringify(key[field]) !== JSON.stringify(after[field]));
      if (changed.length === 0) return key;
      const details = { name: key.name, changed, ...(changed.includes('name') && { newName: after.name }) };
      await auditLog.record(tx, { action: 'key.updated', accountId, targetId: id, details });
      return apiKeyRows.update(tx, accountId, id, after);
    });
  }

  /**
   * Revokes a key immediately; a key that was revoked before is not changed.
   * @throws KeyNotActive for an unknown key
   */
  async revoke(accountId: string, id: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      const revoked = await apiKeyRows.revoke(tx, accountId, id);
      if (revoked === undefined) throw new KeyNotActive(id, false);
      if (!revoked.isNew) return;
      const details = { name: revoked.name };
      await auditLog.record(tx, { action: 'key.revoked', accountId, targetId: id, details });
    });
  }
}

/** @throws AppError `not_signed_in`, `insufficient_role` */
async function lockedAccount(tx: Queryable, accountId: string, by: Session | undefined) {
  const account = await apiKeyRows.lockAccount(tx, accountId);
  if (by !== undefined) await requireCurrentRole(tx, by, 'keys:write');
  return account;
}

/** @throws KeyNotActive for a key that has expired, is being replaced, or is unknown */
async function activeKey(tx: Queryable, accountId: string, id: string): Promise<StoredKey> {
  const key = await apiKeyRows.find(tx, accountId, id);
  if (key === undefined || !key.isActive || key.replacedBy !== null)
    throw new KeyNotActive(id, key !== undefined);
  return key;
}

/**
 * Creates a key if the plan, or test mode, allows one more.
 * @throws KeyLimitReached; AccountError without such an account; AppError `not_signed_in`, `insufficient_role`,
 * `too_many_attempts`
 */
export async function issueKey(
  tx: Queryable,
  accountId: string,
  order: NewKeySettings,
  by?: Session,
): Promise<IssuedKey> {
  const account = await lockedAccount(tx, accountId, by);
  if (account === undefined) throw new AccountError(`There is no account "${accountId}".`);
  const { livemode = true } = order;
  const { keys: limit } = livemode ? effectiveLimits(account.plan, account.limits) : TEST_LIMITS;
  const active = await apiKeyRows.countActive(tx, accountId, livemode);
  if (active >= limit) throw new KeyLimitReached(active, limit, account.plan, livemode);
  if (by !== undefined) await refuseTooManyNewKeys(tx, accountId, account);
  const issued = await insertKey(tx, accountId, order);
  const details = { name: order.name, scopes: order.scopes, ...(!livemode && { livemode }) };
  await auditLog.record(tx, { action: 'key.created', accountId, targetId: issued.id, details });
  return issued;
}

/** @throws AppError `too_many_attempts` */
async function refuseTooManyNewKeys(
  tx: Queryable,
  accountId: string,
  account: Awaited<ReturnType<typeof lockedAccount>>,
): Promise<void> {
  const keys = account === undefined ? 0 : effectiveLimits(account.plan, account.limits).keys;
  const limit = Math.max(MAX_NEW_KEYS_PER_HOUR, 2 * keys);
  const { created, waitSeconds } = await apiKeyRows.createdRecently(tx, accountId);
  if (created < limit) return;
  throw new AppError('too_many_attempts', {
    detail: `The account has created ${created} API keys within an hour. The limit is ${limit}. Retry in ${secondsText(waitSeconds)}.`,
    retryAfterSeconds: waitSeconds,
  });
}

async function insertKey(
  tx: Queryable,
  accountId: string,
  { name, scopes, expiresAt, allowedIps, livemode = true }: NewKeySettings,
): Promise<IssuedKey> {
  if (!livemode) await apiKeyRows.ensureTestAccount(tx, accountId);
  const { key, ...stored } = generateApiKey(livemode);
  const row = await apiKeyRows.insert(tx, accountId, {
    id: newId('key'),
    name,
    scopes,
    expiresAt,
    allowedIps: allowedIps ?? null,
    livemode,
    ...stored,
  });
  return { ...row, key };
}
