import { invalidRequest } from '../../common/validation/validation.pipe.js';
import type { Plan, PlanLimits } from '../../kernel/plans.js';

/** The limits that are set; null without any. */
export function agreedLimits(limits: Partial<PlanLimits> | null | undefined): Partial<PlanLimits> | null {
  const given = Object.entries(limits ?? {}).filter(([, value]) => value !== undefined);
  return given.length > 0 ? Object.fromEntries(given) : null;
}

/** Enterprise limits are agreed with each account. @throws AppError `invalid_request` for Enterprise without any */
export function requireAgreedLimits(plan: Plan, limits: Partial<PlanLimits> | null): void {
  if (plan !== 'enterprise' || limits !== null) return;
  throw invalidRequest([
    {
      field: 'limits',
      code: 'required',
      message: 'limits is required for the enterprise plan, whose limits are agreed with each account',
    },
  ]);
}
