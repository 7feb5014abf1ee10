import { auditLog } from '../../audit/audit-log.js';
import { changePlan, lockPlan } from '../../accounts/plans/plan-change.js';
import { type PlanRequest, planRequestNotFound, requireOpen } from '../../accounts/plans/plan-request.js';
import { planRequestsRepository } from '../../accounts/plans/plan-requests.repository.js';
import { type Page, pageOf, readCursor } from '../../common/lists/pagination.js';
import type { Database, Queryable } from '../../infra/database/database.js';
import type { PlanLimits } from '../../kernel/plans.js';
import { requireAgreedLimits } from '../accounts/agreed-limits.js';

/** Open requests of all customers for another plan, and the decisions of operators. */
export class PlanDecisions {
  constructor(private readonly database: Database) {}

  /** Open requests, oldest first. @throws AppError `invalid_cursor` */
  async list(limit: number, cursor?: string): Promise<Page<PlanRequest>> {
    const after = cursor === undefined ? '' : readCursor('planRequest', cursor);
    return pageOf(
      await planRequestsRepository.listOpen(this.database, after, limit + 1),
      limit,
      (row) => row,
    );
  }

  /**
   * Moves the account to the requested plan. Does nothing when the request is already approved.
   * @throws AppError `not_found`, `plan_request_closed`, `invalid_request` for Enterprise without limits
   */
  approve(id: string, limits: Partial<PlanLimits> | null): Promise<PlanRequest> {
    return this.database.transaction(async (tx) => {
      const request = await locked(tx, id);
      if (request.status === 'approved') return request;
      requireOpen(request);
      requireAgreedLimits(request.plan, limits);
      await changePlan(tx, request.accountId, request.plan, limits);
      return (await planRequestsRepository.find(tx, id))!;
    });
  }

  /** Declines a request. Does nothing if it is already declined. @throws AppError `not_found`, `plan_request_closed` */
  decline(id: string, reason: string): Promise<PlanRequest> {
    return this.database.transaction(async (tx) => {
      const request = await locked(tx, id);
      if (request.status === 'declined') return request;
      requireOpen(request);
      await planRequestsRepository.close(tx, id, 'declined', reason);
      const { accountId, plan } = request;
      const details = { plan, reason };
      await auditLog.record(tx, { action: 'plan.request_declined', accountId, targetId: id, details });
      return (await planRequestsRepository.find(tx, id))!;
    });
  }
}

/** Locks the account of a request, and returns the current request. @throws AppError `not_found` */
async function locked(tx: Queryable, id: string): Promise<PlanRequest> {
  const seen = await planRequestsRepository.find(tx, id);
  if (seen !== undefined) await lockPlan(tx, seen.accountId);
  const request = seen === undefined ? undefined : await planRequestsRepository.find(tx, id);
  if (request === undefined) throw planRequestNotFound(id);
  return request;
}
