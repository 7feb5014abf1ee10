import type { Plan, PlanLimits } from './plans.js';
import type { Scope } from './scopes.js';

/**
 * The caller: an API key of an account, or its owner in the dashboard. Contains everything that the guards need, read
 * in one query.
 */
export interface Principal {
  /** Null for a dashboard session. */
  readonly keyId: string | null;
  /** For a test key, that of the account's test mode; see `livemodeOf`. */
  readonly accountId: string;
  readonly scopes: readonly Scope[];
  readonly plan: Plan;
  readonly limits: PlanLimits;
  /** Whether equal jobs get copies of results by default. Undefined: not read. */
  readonly resultCache?: boolean;
}
