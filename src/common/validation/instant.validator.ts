import { registerDecorator } from 'class-validator';

/** Offsets range from −12 to +14 hours. PostgreSQL refuses 16 and more, which JavaScript accepts. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-](0\d|1[0-4]):\d\d)$/;

/**
 * Accepts an RFC 3339 timestamp with a time zone. ISO 8601 allows other forms (weeks, ordinal days, no zone) that
 * PostgreSQL rejects or interprets in another zone.
 */
export function IsInstant(): PropertyDecorator {
  return (target, property) => {
    registerDecorator({
      name: 'format',
      target: target.constructor,
      propertyName: String(property),
      validator: {
        validate: (value: unknown) =>
          typeof value === 'string' &&
          INSTANT.test(value) &&
          !Number.isNaN(Date.parse(value)) &&
          isInCalendar(value.slice(0, 10)),
        defaultMessage: (given) => `${given?.property ?? ''} must be a time like 2026-11-21T08:00:00.000Z`,
      },
    });
  };
}

/** JavaScript reads February 30 as March 2 and has a year 0; PostgreSQL accepts neither. */
function isInCalendar(day: string): boolean {
  return day >= '0001' && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}
