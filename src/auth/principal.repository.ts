import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { BatchLoader } from '../infra/database/batch-loader.js';
import { Database, type Prepared } from '../infra/database/database.js';
import { effectiveLimits, PLAN_LIMITS, type Plan, type PlanLimits, PLANS } from '../kernel/plans.js';
import { TEST_LIMITS, testAccountOf } from '../kernel/accounts/livemode.js';
import type { Principal } from '../kernel/principal.js';
import { decisionOf, type RateLimitDecision } from '../kernel/rate-limit.js';
import type { Scope } from '../kernel/scopes.js';
import { stateAt, takeSql, type TakenRow } from '../quotas/rate-limit/rate-limit.sql.js';

/** Requests per minute of each plan, for the query below. */
const RPM_BY_PLAN = JSON.stringify(Object.fromEntries(PLANS.map((plan) => [plan, PLAN_LIMITS[plan].rpm])));

/** Finds keys and counts their requests in one round trip. $1: distinct hashes; $2: requests of each. */
const ADMIT: Prepared = {
  name: 'principal_admit',
  text: `
    WITH k AS (
      SELECT k.id, k.account_id, k.hash, k.scopes, k.allowed_ips, k.last_used_at, k.livemode, a.plan, a.limits, a.result_cache, asked.n,
             CASE WHEN a.suspended_at IS NOT NULL THEN coalesce(a.suspended_reason, '') END AS suspended_reason,
             CASE WHEN k.livemode THEN coalesce(a.limits ->> 'rpm', $3::jsonb ->> a.plan)::float8
                  ELSE ${TEST_LIMITS.rpm} END AS ceiling
        FROM unnest($1::bytea[], $2::int[]) AS asked (hash, n)
        JOIN api_keys k ON k.hash = asked.hash
        JOIN accounts a ON a.id = k.account_id
       WHERE k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())),
    taken AS (${takeSql('SELECT k.id AS bucket, k.ceiling, k.n FROM k')})
    SELECT k.id, k.account_id, k.hash, k.scopes, k.allowed_ips, k.last_used_at, k.livemode, k.plan, k.limits, k.result_cache, k.suspended_reason, taken.*
      FROM k JOIN taken ON taken.bucket = k.id`,
};

const TOUCH: Prepared = {
  name: 'api_key_touch',
  text: `UPDATE api_keys SET last_used_at = now()
          WHERE id = ANY($1) AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`,
};

interface KeyRow extends TakenRow {
  id: string;
  account_id: string;
  hash: Buffer;
  scopes: Scope[];
  allowed_ips: string[] | null;
  last_used_at: Date | null;
  livemode: boolean;
  plan: Plan;
  limits: Partial<PlanLimits> | null;
  result_cache: boolean;
  suspended_reason: string | null;
}

const TOUCH_AFTER_MS = 60_000;

/** The caller, and whether this request is within its rate limit. */
export interface KeyAuthentication {
  readonly principal: Principal;
  readonly rateLimit: RateLimitDecision;
  /** Networks (CIDR) from which the key may be used; null: any address. */
  readonly allowedIps: readonly string[] | null;
  /** Why the account is suspended; null while it is active. */
  readonly suspendedReason: string | null;
}

/** Finds the account of a key and counts the request. */
@Injectable()
export class PrincipalRepository {
  private readonly authentications = new BatchLoader((hashes: readonly Buffer[]) =>
    this.authenticateTogether(hashes),
  );

  constructor(private readonly database: Database) {}

  /** The account of a key that is neither revoked nor expired, by the key's SHA-256. */
  authenticate(hash: Buffer): Promise<KeyAuthentication | undefined> {
    return this.authentications.load(hash);
  }

  private async authenticateTogether(
    hashes: readonly Buffer[],
  ): Promise<readonly (KeyAuthentication | undefined)[]> {
    const names = hashes.map((hash) => hash.toString('hex'));
    const counts = new Map<string, number>();
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
    const rows = await this.database.query<KeyRow>(ADMIT, [
      [...counts.keys()].map((name) => Buffer.from(name, 'hex')),
      [...counts.values()],
      RPM_BY_PLAN,
    ]);
    await this.touch(rows);
    const byName = new Map(rows.map((row) => [row.hash.toString('hex'), row]));
    const turns = new Map<string, number>();
    return names.map((name, index) => {
      const row = byName.get(name);
      if (row === undefined || !timingSafeEqual(row.hash, hashes[index]!)) return undefined;
      const turn = turns.get(name) ?? 0;
      turns.set(name, turn + 1);
      return authenticationOf(row, turn);
    });
  }

  private async touch(rows: readonly KeyRow[]): Promise<void> {
    const stale = rows.filter(
      ({ last_used_at: at }) => at === null || Date.now() - at.getTime() > TOUCH_AFTER_MS,
    );
    if (stale.length > 0) await this.database.query(TOUCH, [stale.map(({ id }) => id).toSorted()]);
  }
}

function authenticationOf(row: KeyRow, turn: number): KeyAuthentication {
  const limits = row.livemode ? effectiveLimits(row.plan, row.limits) : TEST_LIMITS;
  const accountId = row.livemode ? row.account_id : testAccountOf(row.account_id);
  return {
    principal: {
      keyId: row.id,
      accountId,
      scopes: row.scopes,
      plan: row.plan,
      limits,
      // The test-mode account has its own setting.
      ...(row.livemode && { resultCache: row.result_cache }),
    },
    rateLimit: decisionOf(stateAt(row, turn), limits.rpm),
    allowedIps: row.allowed_ips,
    suspendedReason: row.suspended_reason,
  };
}
