import { AppError } from '../../kernel/app-error.js';
import { type Plan, PLANS } from '../../kernel/plans.js';

/** Plans that a customer can request; every account begins with `free`. */
export const REQUESTABLE_PLANS = ['personal', 'business', 'enterprise'] as const satisfies readonly Plan[];
export type RequestablePlan = (typeof REQUESTABLE_PLANS)[number];

export const PLAN_REQUEST_STATUSES = ['open', 'approved', 'declined', 'canceled'] as const;
export type PlanRequestStatus = (typeof PLAN_REQUEST_STATUSES)[number];

/** A customer's request for another plan. */
export interface PlanRequest {
  readonly id: string;
  readonly accountId: string;
  /** The name of an organization, or the address of a user's account. */
  readonly accountName: string;
  /** The current plan of the account. */
  readonly currentPlan: Plan;
  readonly plan: RequestablePlan;
  /** The customer's note to the operator. */
  readonly note: string | null;
  /** Address of the user who made the request; null when that user was deleted. */
  readonly requestedBy: string | null;
  readonly createdAt: Date;
  readonly status: PlanRequestStatus;
  readonly closedAt: Date | null;
  /** Why the request was declined, as shown to the customer. */
  readonly reason: string | null;
}

export function isHigherPlan(plan: Plan, than: Plan): boolean {
  return PLANS.indexOf(plan) > PLANS.indexOf(than);
}

export const planRequestNotFound = (id: string): AppError =>
  new AppError('not_found', { detail: `There is no plan request "${id}". Nothing was changed.` });

/** @throws AppError `plan_request_closed` */
export function requireOpen({ status }: PlanRequest): void {
  if (status !== 'open')
    throw new AppError('plan_request_closed', {
      detail: `The request has already been ${status}. Nothing was changed.`,
    });
}
