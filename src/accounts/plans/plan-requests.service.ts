import { Injectable } from '@nestjs/common';
import { auditLog } from '../../audit/audit-log.js';
import { requireCurrentRole } from '../../auth/sessions/current-role.js';
import type { Session } from '../../auth/sessions/session.js';
import { invalidRequest } from '../../common/validation/validation.pipe.js';
import { Database, type Queryable } from '../../infra/database/database.js';
import { AppError } from '../../kernel/app-error.js';
import { newId } from '../../kernel/ids.js';
import type { Plan } from '../../kernel/plans.js';
import { serviceEvents } from '../../webhooks/events/service-events.js';
import { lockPlan } from './plan-change.js';
import {
  isHigherPlan,
  type PlanRequest,
  planRequestNotFound,
  type RequestablePlan,
  requireOpen,
} from './plan-request.js';
import { planRequestsRepository } from './plan-requests.repository.js';

/** Maximum requests per day of an organization, including canceled ones. */
export const MAX_PLAN_REQUESTS_PER_DAY = 10;
const RETRY_SECONDS = 3_600;

/** The current organization's requests to the operator for another plan. */
@Injectable()
export class PlanRequestsService {
  constructor(private readonly database: Database) {}

  /** The newest request, regardless of its status. */
  latest({ account }: Session): Promise<PlanRequest | undefined> {
    return planRequestsRepository.latest(this.database, account.id);
  }

  /**
   * Creates a request. If the open request asks for the same plan with the same note, returns that request instead.
   * @throws AppError `not_signed_in`, `insufficient_role`, `invalid_request` for a plan that is not above the current
   *   one, `plan_request_open` when another request is already open, `too_many_attempts`
   */
  async create(session: Session, plan: RequestablePlan, note: string | null): Promise<PlanRequest> {
    const accountId = session.account.id;
    return this.database.transaction(async (tx) => {
      const current = await lockPlan(tx, accountId);
      await requireCurrentRole(tx, session, 'plan:request');
      const open = await planRequestsRepository.findOpen(tx, accountId);
      if (open !== undefined) {
        if (open.plan === plan && open.note === note) return open;
        throw new AppError('plan_request_open');
      }
      if (!isHigherPlan(plan, current!)) throw notHigher(current!);
      await requireFewToday(tx, accountId);
      const id = newId('planRequest');
      await planRequestsRepository.insert(tx, { id, accountId, plan, note, userId: session.user.id });
      await auditLog.record(tx, { action: 'plan.requested', accountId, targetId: id, details: { plan } });
      const made = (await planRequestsRepository.find(tx, id))!;
      await serviceEvents.write(tx, 'plan.requested', { planRequest: told(made) });
      return made;
    });
  }

  /**
   * Does nothing when the request is already canceled.
   * @throws AppError `not_signed_in`, `insufficient_role`, `not_found`, `plan_request_closed`
   */
  async cancel(session: Session, id: string): Promise<void> {
    const accountId = session.account.id;
    await this.database.transaction(async (tx) => {
      await lockPlan(tx, accountId);
      await requireCurrentRole(tx, session, 'plan:request');
      const request = await planRequestsRepository.find(tx, id);
      if (request?.accountId !== accountId) throw planRequestNotFound(id);
      if (request.status === 'canceled') return;
      requireOpen(request);
      await planRequestsRepository.close(tx, id, 'canceled');
      const details = { plan: request.plan };
      await auditLog.record(tx, { action: 'plan.request_canceled', accountId, targetId: id, details });
    });
  }
}

/** @throws AppError `too_many_attempts` */
async function requireFewToday(tx: Queryable, accountId: string): Promise<void> {
  if ((await planRequestsRepository.countToday(tx, accountId)) < MAX_PLAN_REQUESTS_PER_DAY) return;
  throw new AppError('too_many_attempts', {
    detail: `The organization has requested a plan ${MAX_PLAN_REQUESTS_PER_DAY} times in the last 24 hours, which is the limit. Try again later.`,
    retryAfterSeconds: RETRY_SECONDS,
  });
}

/** The request as sent to the operator's billing system. */
function told(request: PlanRequest): Record<string, unknown> {
  const { id, accountId, accountName, currentPlan, plan, note, requestedBy, createdAt } = request;
  return { id, accountId, accountName, currentPlan, plan, note, requestedBy, createdAt };
}

const notHigher = (current: Plan): AppError =>
  invalidRequest([
    {
      field: 'plan',
      code: 'plan',
      message: `plan must be above the current plan, which is ${current}`,
    },
  ]);
