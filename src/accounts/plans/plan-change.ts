import { auditLog } from '../../audit/audit-log.js';
import type { Prepared, Queryable } from '../../infra/database/database.js';
import type { Plan, PlanLimits } from '../../kernel/plans.js';
import { planRequestsRepository } from './plan-requests.repository.js';

const LOCK: Prepared = {
  name: 'plan_change_lock',
  text: 'SELECT plan FROM accounts WHERE id = $1 FOR NO KEY UPDATE',
};

const SET: Prepared = {
  name: 'plan_change_set',
  text: 'UPDATE accounts SET plan = $2, limits = $3::jsonb WHERE id = $1',
};

/** Locks the account until the end of the transaction. @returns its plan; undefined when it is gone */
export async function lockPlan(tx: Queryable, accountId: string): Promise<Plan | undefined> {
  return (await tx.query<{ plan: Plan }>(LOCK, [accountId]))[0]?.plan;
}

/**
 * Moves an account to another plan. Without `limits`, the limits agreed before are removed and those of the new plan
 * apply. An open request for this plan or a lower one is approved by it.
 * @returns false when the account is gone
 */
export async function changePlan(
  tx: Queryable,
  accountId: string,
  plan: Plan,
  limits: Partial<PlanLimits> | null,
): Promise<boolean> {
  const from = await lockPlan(tx, accountId);
  if (from === undefined) return false;
  await tx.query(SET, [accountId, plan, limits === null ? null : JSON.stringify(limits)]);
  const details = { from, to: plan, ...(limits !== null && { limits }) };
  await auditLog.record(tx, { action: 'plan.changed', accountId, details });
  await planRequestsRepository.approveUpTo(tx, accountId, plan);
  return true;
}
