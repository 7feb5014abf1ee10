import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, type Prepared } from '../infra/database/database.js';
import { effectiveLimits, type Plan, type PlanLimits } from '../kernel/plans.js';
import type { Principal } from '../kernel/principal.js';
import type { Scope } from '../kernel/scopes.js';

const FIND_BY_HASH: Prepared = {
  name: 'principal_find_by_hash',
  text: `SELECT k.id, k.account_id, k.hash, k.scopes, k.last_used_at, a.plan, a.limits
           FROM api_keys k JOIN accounts a ON a.id = k.account_id
          WHERE k.hash = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())`,
};

const TOUCH: Prepared = {
  name: 'api_key_touch',
  text: `UPDATE api_keys SET last_used_at = now()
          WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`,
};

interface KeyRow {
  id: string;
  account_id: string;
  hash: Buffer;
  scopes: Scope[];
  last_used_at: Date | null;
  plan: Plan;
  limits: Partial<PlanLimits> | null;
}

const TOUCH_AFTER_MS = 60_000;

/** Finds who a key belongs to: one prepared read for each request. */
@Injectable()
export class PrincipalRepository {
  constructor(private readonly database: Database) {}

  /** The owner of a key that is neither revoked nor expired, by the key's SHA-256. */
  async findByHash(hash: Buffer): Promise<Principal | undefined> {
    const [row] = await this.database.query<KeyRow & Record<string, unknown>>(FIND_BY_HASH, [hash]);
    if (row === undefined || !timingSafeEqual(row.hash, hash)) return undefined;
    if (row.last_used_at === null || Date.now() - row.last_used_at.getTime() > TOUCH_AFTER_MS) {
      await this.database.query(TOUCH, [row.id]);
    }
    return {
      keyId: row.id,
      accountId: row.account_id,
      scopes: row.scopes,
      plan: row.plan,
      limits: effectiveLimits(row.plan, row.limits),
    };
  }
}
