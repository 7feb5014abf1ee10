import { registerDecorator } from 'class-validator';

/** Zones reach from −12 to +14 hours; PostgreSQL refuses those of 16 and more, which JavaScript reads. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-](0\d|1[0-4]):\d\d)$/;

/**
 * Accepts a moment of RFC 3339 with its zone. ISO 8601 has many more spellings (weeks, ordinal days, no
 * zone) that PostgreSQL refuses or reads in a zone of its own.
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

/** JavaScript reads 30 February as 2 March, and has a year 0; PostgreSQL knows neither. */
function isInCalendar(day: string): boolean {
  return day >= '0001' && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}
