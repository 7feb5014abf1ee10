import type { Plan, PlanLimits } from './plans.js';
import type { Scope } from './scopes.js';

/** Who asks: one API key of one account (or its owner in the dashboard), with everything the guards need, read in a single query. */
export interface Principal {
  /** Null for somebody who is signed in to the dashboard. */
  readonly keyId: string | null;
  readonly accountId: string;
  readonly scopes: readonly Scope[];
  readonly plan: Plan;
  readonly limits: PlanLimits;
}
