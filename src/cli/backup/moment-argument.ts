import { UsageError } from '../command-line.mjs';

/** The form that PostgreSQL prints, or that of ISO 8601. */
const MOMENT = /^(\d{4}-\d\d-\d\d)[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d(?::?\d\d)?)$/i;

/**
 * Parses the point in time to which a database was restored. If it were too late, nothing would be held, although the
 * command reports that.
 * @throws UsageError
 */
export function momentArgument(text: string): Date {
  const day = MOMENT.exec(text)?.[1];
  const moment = new Date(text);
  if (day === undefined || Number.isNaN(moment.getTime()) || !exists(day))
    throw new UsageError(
      `The time must have a time zone, such as 2030-01-31T12:00:00Z or 2030-01-31T20:00:00+08:00, not "${text}".`,
    );
  if (moment.getTime() > Date.now())
    throw new UsageError(`The time must not be in the future; "${text}" is.`);
  return moment;
}

/** `new Date` takes February 31 as March 3. */
function exists(day: string): boolean {
  const midnight = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}
