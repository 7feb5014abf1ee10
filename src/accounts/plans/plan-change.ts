import { auditLog } from '../../audit/audit-log.js';
import type { Prepared, Queryable } from '../../infra/database/database.js';
import { effectiveLimits, type Plan, type PlanLimits } from '../../kernel/plans.js';
import { renewQuotaNotices } from '../../quotas/quota-notices.js';
import { serviceEvents } from '../../webhooks/events/service-events.js';
import { planRequestsRepository } from './plan-requests.repository.js';

const LOCK: Prepared = {
  name: 'plan_change_lock',
  text: 'SELECT plan, limits, coalesce(name, email) AS name FROM accounts WHERE id = $1 FOR NO KEY UPDATE',
};

const SET: Prepared = {
  name: 'plan_change_set',
  text: `UPDATE accounts SET plan = $2, limits = $3::jsonb
          WHERE id = $1 AND (plan <> $2 OR limits IS DISTINCT FROM $3::jsonb) RETURNING id`,
};

interface LockedAccount {
  readonly plan: Plan;
  readonly limits: Partial<PlanLimits> | null;
  readonly name: string;
}

async function lock(tx: Queryable, accountId: string): Promise<LockedAccount | undefined> {
  return (await tx.query<LockedAccount>(LOCK, [accountId]))[0];
}

/**
 * Locks the account until the end of the transaction.
 * @returns its plan; undefined when the account no longer exists
 */
export async function lockPlan(tx: Queryable, accountId: string): Promise<Plan | undefined> {
  return (await lock(tx, accountId))?.plan;
}

/**
 * Moves an account to another plan. Without `limits`, custom limits are removed and those of the new plan apply.
 * Approves an open request for this plan or a lower one. Otherwise does nothing if plan and limits are the same, for
 * example because a command is repeated.
 * @returns false when the account no longer exists
 */
export async function changePlan(
  tx: Queryable,
  accountId: string,
  plan: Plan,
  limits: Partial<PlanLimits> | null,
): Promise<boolean> {
  const account = await lock(tx, accountId);
  if (account === undefined) return false;
  const { plan: from, name: accountName } = account;
  const changed = await tx.query(SET, [accountId, plan, limits === null ? null : JSON.stringify(limits)]);
  await planRequestsRepository.approveUpTo(tx, accountId, plan);
  if (changed.length === 0) return true;
  const details = { from, to: plan, ...(limits !== null && { limits }) };
  await auditLog.record(tx, { action: 'plan.changed', accountId, details });
  await renewQuotaNotices(tx, accountId, {
    from: effectiveLimits(from, account.limits).enhancements,
    to: effectiveLimits(plan, limits).enhancements,
  });
  const told = { accountId, accountName, from, to: plan, limits };
  await serviceEvents.write(tx, 'plan.changed', { plan: told });
  return true;
}
