import { Type } from 'class-transformer';
import { IsInt, Max, Min } from 'class-validator';
import { IsOmittable } from '../../common/validation/omittable.decorator.js';

const MAX_DAYS = 92;
const message = `days must be a whole number from 1 to ${MAX_DAYS}`;

export class UsageHistoryQueryDto {
  @IsOmittable()
  @Type(() => Number)
  @IsInt({ message })
  @Min(1, { message })
  @Max(MAX_DAYS, { message })
  days: number = 30;
}

/** Series for charts; every array is as long as `days`. */
export interface UsageHistoryDto {
  /** UTC, `YYYY-MM-DD`, today last. */
  readonly days: readonly string[];
  /** What each day cost; failed and canceled jobs cost nothing. */
  readonly enhancements: readonly number[];
  /** Bytes kept at the end of each day. */
  readonly storageBytes: readonly number[];
  /** Keys that asked for any, the busiest first; id null for the dashboard itself. */
  readonly keys: readonly {
    readonly id: string | null;
    readonly name: string;
    readonly enhancements: readonly number[];
  }[];
}

export interface KeyRateDto {
  readonly keyId: string;
  readonly name: string;
  /** Requests a minute. */
  readonly limit: number;
  /** Of the minute that ends now. */
  readonly used: number;
  readonly remaining: number;
  /** Unix seconds at which all are free again if nothing else is sent. */
  readonly resetAt: number;
}
