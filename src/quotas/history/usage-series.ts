const DAY_MS = 86_400_000;

/** The last `count` days (UTC, `YYYY-MM-DD`), today last. */
export function lastDays(count: number, nowMs: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    new Date(nowMs - (count - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
}

/** One number for each day; 0 where nothing is said. */
export function perDay(days: readonly string[], values: ReadonlyMap<string, number>): number[] {
  return days.map((day) => values.get(day) ?? 0);
}

/**
 * What was there at the end of each day, from what is there now and what came and went: backwards, so that the
 * last number is the one that counts, whatever was not written down long ago. Never below zero.
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
