/** The calendar month (UTC) of a quota, `YYYY-MM`. */
export function quotaPeriod(nowMs: number): string {
  return new Date(nowMs).toISOString().slice(0, 7);
}

/** The first instant of the month after `period` (UTC). */
export function periodEnd(period: string): Date {
  const [year, month] = period.split('-');
  return new Date(Date.UTC(Number(year), Number(month), 1));
}
