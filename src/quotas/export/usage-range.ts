/** A day. Years begin at 1000, because PostgreSQL has no year 0. */
export const DAY = /^[1-9]\d{3}-\d{2}-\d{2}$/;

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;

/** Days (UTC, `YYYY-MM-DD`), both included. */
export interface UsageRange {
  readonly from: string;
  readonly to: string;
}

/** Fills in what a request left out: the 30 days that end today, or on `to`. */
export function usageRange({ from, to }: Partial<UsageRange>, nowMs: number): UsageRange {
  const last = to ?? dayOf(nowMs);
  return { from: from ?? dayOf(Date.parse(last) - (DEFAULT_DAYS - 1) * DAY_MS), to: last };
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
