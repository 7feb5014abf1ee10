const DAY_MS = 86_400_000;

/** The last `count` days (UTC, `YYYY-MM-DD`), ending with today. */
export function lastDays(count: number, nowMs: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    new Date(nowMs - (count - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
}

/** One number for each day; 0 for missing days. */
export function perDay(days: readonly string[], values: ReadonlyMap<string, number>): number[] {
  return days.map((day) => values.get(day) ?? 0);
}

/**
 * The level at the end of each day, computed backward from the current level and the daily changes, so that the last
 * value is exact even when early changes were not recorded. Never below zero.
 */
export function endOfDays(
  days: readonly string[],
  changes: ReadonlyMap<string, number>,
  now: number,
): number[] {
  const ends: number[] = [];
  let level = now;
  for (const day of days.toReversed()) {
    ends.push(Math.max(0, level));
    level -= changes.get(day) ?? 0;
  }
  return ends.toReversed();
}
