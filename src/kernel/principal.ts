import type { Plan, PlanLimits } from './plans.js';
import type { Scope } from './scopes.js';

/** Who asks: one API key of one account, with everything the guards need, read in a single query. */
export interface Principal {
  readonly keyId: string;
  readonly accountId: string;
  readonly scopes: readonly Scope[];
  readonly plan: Plan;
  readonly limits: PlanLimits;
}
