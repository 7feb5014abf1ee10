import type { CreatePlanRequest } from '../../../api/schema.js';

export type RequestablePlan = CreatePlanRequest['plan'];
export type PlanName = RequestablePlan | 'free';

const PLANS: readonly PlanName[] = ['free', 'personal', 'business', 'enterprise'];

/** The plans above this one. */
export function higherPlans(plan: PlanName): readonly RequestablePlan[] {
  return PLANS.slice(PLANS.indexOf(plan) + 1).filter((name) => name !== 'free');
}
