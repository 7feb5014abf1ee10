import { registerDecorator } from 'class-validator';
import { ANY_EVENT_TYPES, EVENT_TYPES, EVERY_EVENT } from './event-types.js';

/** OpenAPI schema: `*` must be the only value. The types of the library lack `contains`. */
export const EVERY_EVENT_ALONE = { not: { minItems: 2, contains: { const: EVERY_EVENT } } as object };

/** Accepts a list of event types, each once, or `["*"]`. */
export function IsEventChoice(): PropertyDecorator {
  return (target, property) => {
    registerDecorator({
      name: 'enum',
      target: target.constructor,
      propertyName: String(property),
      validator: {
        validate: isEventChoice,
        defaultMessage: () =>
          `events must be ["${EVERY_EVENT}"], or a list of one or more of ${EVENT_TYPES.join(', ')}, each once`,
      },
    });
  };
}

function isEventChoice(value: unknown): boolean {
  if (!Array.isArray(value) || value.length === 0 || new Set(value).size < value.length) return false;
  if (value.length === 1 && value[0] === EVERY_EVENT) return true;
  return value.every((type) => (ANY_EVENT_TYPES as readonly unknown[]).includes(type));
}
