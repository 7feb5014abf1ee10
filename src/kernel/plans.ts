export const PLANS = ['free', 'personal', 'business', 'enterprise'] as const;
export type Plan = (typeof PLANS)[number];

export interface PlanLimits {
  /** Requests per minute per key. */
  readonly rpm: number;
  /** AI enhancements per calendar month (UTC) and account. */
  readonly enhancements: number;
  /** Bytes of stored sources and results per account. */
  readonly storageBytes: number;
  /** Active API keys per account. */
  readonly keys: number;
}

/** Sizes are binary, as everywhere in this service: 1 GB = 2^30 bytes, 20 MB = 20 × 2^20 bytes. */
const GB = 2 ** 30;

/** The plans of the specification. Enterprise limits are stored with the account; a limit not stored is that of Business. */
export const PLAN_LIMITS: Readonly<Record<Plan, PlanLimits>> = {
  free: { rpm: 30, enhancements: 50, storageBytes: 1 * GB, keys: 1 },
  personal: { rpm: 120, enhancements: 2_000, storageBytes: 50 * GB, keys: 3 },
  business: { rpm: 600, enhancements: 20_000, storageBytes: 500 * GB, keys: 15 },
  enterprise: { rpm: 600, enhancements: 20_000, storageBytes: 500 * GB, keys: 15 },
};

export const LIMIT_NAMES = [
  'rpm',
  'enhancements',
  'storageBytes',
  'keys',
] as const satisfies readonly (keyof PlanLimits)[];

/** The highest limits that may be agreed with an account. The counters of enhancements are 32-bit; storage is not. */
export const LIMIT_CEILINGS: PlanLimits = {
  rpm: 1e9,
  enhancements: 2e9,
  storageBytes: Number.MAX_SAFE_INTEGER,
  keys: 1e6,
};

/** The limits of an account: those of its plan, overridden by its own. */
export function effectiveLimits(plan: Plan, overrides: Partial<PlanLimits> | null): PlanLimits {
  return { ...PLAN_LIMITS[plan], ...overrides };
}

/** The next plan with a higher limit. After Business comes Enterprise; null for Enterprise. */
export function upgradeFor(plan: Plan, limit: keyof PlanLimits, used: number): Plan | null {
  if (plan === 'enterprise') return null;
  const larger = PLANS.slice(PLANS.indexOf(plan) + 1).find(
    (candidate) => candidate !== 'enterprise' && PLAN_LIMITS[candidate][limit] > used,
  );
  return larger ?? 'enterprise';
}

/** What a refused account can do for a higher limit. Without a plan: its own limits can be raised. */
export interface UpgradeHint {
  readonly plan?: Plan;
  /** Address of the page about the plans. */
  readonly url: string;
  /** `contact sales` where no self-service number applies. */
  readonly note?: string;
}

/** The upgrade hint of an account that has used up a limit. */
export function upgradeHint(
  plan: Plan,
  limit: keyof PlanLimits,
  used: number,
  publicUrl: string,
): UpgradeHint {
  const next = upgradeFor(plan, limit, used);
  return {
    ...(next !== null && { plan: next }),
    url: `${publicUrl}/docs/plans#${next ?? plan}`,
    ...((next === null || next === 'enterprise') && { note: 'contact sales' }),
  };
}

/** The same in words, as part of a sentence. */
export function upgradeAdvice({ plan }: UpgradeHint): string {
  return plan === undefined ? 'contact sales to raise the limit' : `upgrade to the ${plan} plan`;
}
