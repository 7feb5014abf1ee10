import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, type Prepared } from '../infra/database/database.js';
import { effectiveLimits, PLAN_LIMITS, type Plan, type PlanLimits, PLANS } from '../kernel/plans.js';
import type { Principal } from '../kernel/principal.js';
import { decisionOf, type RateLimitDecision, type WindowState } from '../kernel/rate-limit.js';
import type { Scope } from '../kernel/scopes.js';
import { takeSql } from './rate-limit.sql.js';

/** Requests a minute of each plan, for the statement below. */
const RPM_BY_PLAN = JSON.stringify(Object.fromEntries(PLANS.map((plan) => [plan, PLAN_LIMITS[plan].rpm])));

/** Finds the key and takes its request out of its minute in one round trip: every request does both. */
const ADMIT: Prepared = {
  name: 'principal_admit',
  text: `
    WITH k AS (
      SELECT k.id, k.account_id, k.hash, k.scopes, k.last_used_at, a.plan, a.limits
        FROM api_keys k JOIN accounts a ON a.id = k.account_id
       WHERE k.hash = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())),
    taken AS (${takeSql(`SELECT k.id AS bucket, coalesce(k.limits ->> 'rpm', $2::jsonb ->> k.plan)::float8 AS ceiling FROM k`)})
    SELECT k.*, taken.* FROM k, taken`,
};

const TOUCH: Prepared = {
  name: 'api_key_touch',
  text: `UPDATE api_keys SET last_used_at = now()
          WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`,
};

interface AdmittedRow extends WindowState {
  id: string;
  account_id: string;
  hash: Buffer;
  scopes: Scope[];
  last_used_at: Date | null;
  plan: Plan;
  limits: Partial<PlanLimits> | null;
}

const TOUCH_AFTER_MS = 60_000;

/** Who asks, and whether this request is within their rate limit. */
export interface Admission {
  readonly principal: Principal;
  readonly rateLimit: RateLimitDecision;
}

/** Finds who a key belongs to, and counts the request. */
@Injectable()
export class PrincipalRepository {
  constructor(private readonly database: Database) {}

  /** The owner of a key that is neither revoked nor expired, by the key's SHA-256. */
  async admit(hash: Buffer): Promise<Admission | undefined> {
    const [row] = await this.database.query<AdmittedRow & Record<string, unknown>>(ADMIT, [
      hash,
      RPM_BY_PLAN,
    ]);
    if (row === undefined || !timingSafeEqual(row.hash, hash)) return undefined;
    if (row.last_used_at === null || Date.now() - row.last_used_at.getTime() > TOUCH_AFTER_MS) {
      await this.database.query(TOUCH, [row.id]);
    }
    const limits = effectiveLimits(row.plan, row.limits);
    return {
      principal: { keyId: row.id, accountId: row.account_id, scopes: row.scopes, plan: row.plan, limits },
      rateLimit: decisionOf(row, limits.rpm),
    };
  }
}
