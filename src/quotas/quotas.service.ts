import { Inject, Injectable } from '@nestjs/common';
import type { ExceededQuotaDto } from '../common/resources/exceeded-quota.dto.js';
import type { Config } from '../config/env.js';
import { CONFIG } from '../config/tokens.js';
import { Database } from '../infra/database/database.js';
import type { AppError } from '../kernel/app-error.js';
import { periodEnd, quotaPeriod } from '../kernel/time/clock.js';
import { livemodeOf } from '../kernel/accounts/livemode.js';
import { type Plan, PLAN_LIMITS } from '../kernel/plans.js';
import type { Principal } from '../kernel/principal.js';
import { writeEvent } from '../webhooks/events/outbox.js';
import { type QuotaName, type QuotaRefusal, quotaExceeded } from './quota-refusal.js';
import { QuotasRepository } from './quotas.repository.js';
import type { UsageDto } from './usage.dto.js';

@Injectable()
export class QuotasService {
  constructor(
    private readonly quotas: QuotasRepository,
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async usage(principal: Principal): Promise<UsageDto> {
    const period = quotaPeriod(Date.now());
    const used = await this.quotas.usage(principal.accountId, period);
    return {
      plan: principal.plan,
      period,
      requestsPerMinute: { limit: principal.limits.rpm },
      enhancements: {
        limit: principal.limits.enhancements,
        used: used.enhancements,
        remaining: Math.max(0, principal.limits.enhancements - used.enhancements),
        resetsAt: periodEnd(period).toISOString(),
      },
      storage: {
        limitBytes: principal.limits.storageBytes,
        usedBytes: used.storageBytes,
        remainingBytes: Math.max(0, principal.limits.storageBytes - used.storageBytes),
      },
    };
  }

  /**
   * Whether `bytes` more fit into the account's storage now. Only an early check: the guarded statement in the
   * transaction that stores the bytes decides.
   */
  async hasStorageFor(principal: Principal, bytes: number): Promise<boolean> {
    const used = await this.quotas.usage(principal.accountId, quotaPeriod(Date.now()));
    return used.storageBytes + bytes <= principal.limits.storageBytes;
  }

  /**
   * Spares a client from sending a file for a job that the plan has no room for. Only an early check: the statement
   * that creates the job decides.
   * @throws AppError `quota_exceeded`
   */
  async refuseIfUsedUp(principal: Principal): Promise<void> {
    const at = new Date();
    const used = await this.quotas.usage(principal.accountId, quotaPeriod(at.getTime()));
    if (used.enhancements < principal.limits.enhancements) return;
    throw await this.refuse(principal, 'enhancements', at);
  }

  /**
   * Builds the 403 of an exhausted quota and notifies the account's webhooks, at most once an hour. A refusal that a
   * test asks for sends its event every time.
   * @param at when it was found exhausted, which decides the month
   * @param needed how much of the quota the request needs
   */
  async refuse(principal: Principal, quota: QuotaName, at: Date = new Date(), needed = 1): Promise<AppError> {
    const refusal = await this.refusalOf(principal, quota, at);
    await this.notify(principal, refusal, at);
    return quotaExceeded(refusal, principal.plan, this.config.publicUrl, needed);
  }

  /** Builds the same 403 for a request that only asks. Notifies nobody. */
  async refusal(principal: Principal, quota: QuotaName, needed = 1): Promise<AppError> {
    const refusal = await this.refusalOf(principal, quota, new Date());
    return quotaExceeded(refusal, principal.plan, this.config.publicUrl, needed);
  }

  private async refusalOf(principal: Principal, quota: QuotaName, at: Date): Promise<QuotaRefusal> {
    const period = quotaPeriod(at.getTime());
    if (isTest(principal, quota)) return testRefusal(principal, period);
    const used = await this.quotas.usage(principal.accountId, period);
    return quota === 'storage'
      ? { quota, limit: principal.limits.storageBytes, used: used.storageBytes, resetsAt: null }
      : {
          quota,
          limit: principal.limits.enhancements,
          used: used.enhancements,
          resetsAt: periodEnd(period),
        };
  }

  private async notify(principal: Principal, refusal: QuotaRefusal, at: Date): Promise<void> {
    const { accountId } = principal;
    const { quota } = refusal;
    await this.database.transaction(async (tx) => {
      const isDue = isTest(principal, quota) || (await this.quotas.claimNotice(tx, accountId, quota, at));
      if (!isDue) return;
      await writeEvent(tx, {
        accountId,
        type: 'quota.exceeded',
        data: { quota: exceededQuota(refusal, principal.plan) },
        at,
      });
    });
  }
}

/** Whether a test asked for the refusal: the enhancements of test mode are never used up. */
function isTest({ accountId }: Principal, quota: QuotaName): boolean {
  return quota === 'enhancements' && !livemodeOf(accountId);
}

/** The refusal for a test of the quota: the plan's quota as if it were used up. */
function testRefusal({ plan }: Principal, period: string): QuotaRefusal {
  const { enhancements } = PLAN_LIMITS[plan];
  return { quota: 'enhancements', limit: enhancements, used: enhancements, resetsAt: periodEnd(period) };
}

function exceededQuota(refusal: QuotaRefusal, plan: Plan): ExceededQuotaDto {
  return { ...refusal, resetsAt: refusal.resetsAt?.toISOString() ?? null, plan };
}
