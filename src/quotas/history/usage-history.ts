import { Injectable } from '@nestjs/common';
import { ApiKeys } from '../../auth/keys/api-keys.js';
import { TEST_LIMITS } from '../../kernel/accounts/livemode.js';
import { quotaPeriod } from '../../kernel/time/clock.js';
import type { Principal } from '../../kernel/principal.js';
import { decisionOf } from '../../kernel/rate-limit.js';
import { QuotasRepository } from '../quotas.repository.js';
import type { KeyRateDto, UsageHistoryDto } from './usage-history.dto.js';
import { UsageHistoryRepository } from './usage-history.repository.js';
import { endOfDays, lastDays, perDay } from './usage-series.js';

const DASHBOARD = 'Dashboard';

/** The usage of an account over time, by key, and in the current minute. */
@Injectable()
export class UsageHistory {
  constructor(
    private readonly repository: UsageHistoryRepository,
    private readonly quotas: QuotasRepository,
    private readonly keys: ApiKeys,
  ) {}

  /** @param count number of days, including today. @param isNamed whether to include the names of keys */
  async history({ accountId }: Principal, count: number, isNamed: boolean): Promise<UsageHistoryDto> {
    const nowMs = Date.now();
    const days = lastDays(count, nowMs);
    const since = days[0]!;
    const [spent, moved, usage, keys] = await Promise.all([
      this.repository.enhancements(accountId, since),
      this.repository.storageChanges(accountId, since),
      this.quotas.usage(accountId, quotaPeriod(nowMs)),
      this.keys.list(accountId),
    ]);
    const changes = new Map(moved.map(({ day, bytes }) => [day, bytes]));
    const series = seriesByKey(days, spent);
    const nameOf = (id: string | null): string => {
      if (id === null) return DASHBOARD;
      return isNamed ? (keys.find((key) => key.id === id)?.name ?? id) : unnamed(id);
    };
    return {
      days,
      enhancements: days.map((_, day) => sum(series.map(({ enhancements }) => enhancements[day]!))),
      storageBytes: endOfDays(days, changes, usage.storageBytes),
      keys: series
        .toSorted((a, b) => sum(b.enhancements) - sum(a.enhancements))
        .map(({ id, enhancements }) => ({ id, name: nameOf(id), enhancements })),
    };
  }

  /** @param isNamed whether to include the names of keys */
  async rates(
    { accountId, limits }: Principal,
    isNamed: boolean,
  ): Promise<{ readonly data: readonly KeyRateDto[] }> {
    const windows = await this.repository.windows(accountId);
    return {
      data: windows.map(({ keyId, name, livemode, ...window }) => {
        const { rpm } = livemode ? limits : TEST_LIMITS;
        const { limit, remaining, resetAt } = decisionOf({ ...window, allowed: true }, rpm);
        return {
          keyId,
          name: isNamed ? name : unnamed(keyId),
          limit,
          used: limit - remaining,
          remaining,
          resetAt,
        };
      }),
    };
  }
}

interface Spent {
  readonly day: string;
  readonly keyId: string | null;
  readonly count: number;
}

function seriesByKey(
  days: readonly string[],
  spent: readonly Spent[],
): { readonly id: string | null; readonly enhancements: readonly number[] }[] {
  return [...new Set(spent.map(({ keyId }) => keyId))].map((id) => {
    const own = spent.filter(({ keyId }) => keyId === id);
    return { id, enhancements: perDay(days, new Map(own.map(({ day, count }) => [day, count]))) };
  });
}

/** Replaces the name for users who may not list the keys: enough to distinguish keys. */
const unnamed = (keyId: string): string => `key_…${keyId.slice(-6)}`;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
