import { AppError } from '../kernel/app-error.js';
import { type Plan, type PlanLimits, upgradeAdvice, upgradeHint } from '../kernel/plans.js';

export type QuotaName = 'enhancements' | 'storage';

/** A refused quota request. A value that the HTTP layer turns into a 403. */
export interface QuotaRefusal {
  readonly quota: QuotaName;
  readonly limit: number;
  readonly used: number;
  /** When the quota resets; null for storage, which only deletion frees. */
  readonly resetsAt: Date | null;
}

const LIMIT_OF: Readonly<Record<QuotaName, keyof PlanLimits>> = {
  enhancements: 'enhancements',
  storage: 'storageBytes',
};

/**
 * The 403 for a refusal, with the plan that has enough quota.
 * @param needed how much of the quota the request needs
 */
export function quotaExceeded(refusal: QuotaRefusal, plan: Plan, publicUrl: string, needed = 1): AppError {
  const upgrade = upgradeHint(plan, LIMIT_OF[refusal.quota], refusal.used + needed - 1, publicUrl);
  const unit = refusal.quota === 'storage' ? 'bytes of storage' : 'enhancements this month';
  const left = Math.max(0, refusal.limit - refusal.used);
  const remedies = [remedyOf(refusal, needed), upgradeAdvice(upgrade)].filter((text) => text !== undefined);
  return new AppError('quota_exceeded', {
    detail:
      `The account has used ${refusal.used} of its ${refusal.limit} ${unit}. ` +
      (needed > 1 ? `This request needs ${needed}, and the account has ${left} left. ` : '') +
      `${capitalized(remedies.join(' or '))}.`,
    extensions: {
      quota: refusal.quota,
      limit: refusal.limit,
      used: refusal.used,
      ...(refusal.quota === 'enhancements' && { needed, remaining: left }),
      resetsAt: refusal.resetsAt?.toISOString() ?? null,
      upgrade,
    },
  });
}

/** What helps without a higher limit; undefined if nothing does. */
function remedyOf({ limit, used, resetsAt }: QuotaRefusal, needed: number): string | undefined {
  if (resetsAt === null) return 'delete sources or jobs';
  if (needed <= limit) return `wait until ${resetsAt.toISOString()}`;
  if (used < limit) return 'send a smaller request';
  return limit > 0 ? `send a smaller request after ${resetsAt.toISOString()}` : undefined;
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
