import { registerDecorator } from 'class-validator';
import { isStorable } from '../../kernel/storable-text.js';

const MAX_PAIRS = 20;
const MAX_NAME_CHARACTERS = 40;
const MAX_VALUE_CHARACTERS = 500;

/**
 * Accepts an object of at most 20 pairs of text. U+0000 and halves of characters are refused, because jsonb cannot store
 * them.
 */
export function IsMetadata(): PropertyDecorator {
  return (target, property) => {
    registerDecorator({
      name: 'metadata',
      target: target.constructor,
      propertyName: String(property),
      validator: {
        validate: isMetadata,
        defaultMessage: () =>
          `metadata must be an object of at most ${MAX_PAIRS} key-value pairs of strings: keys of 1 to ${MAX_NAME_CHARACTERS} characters, values of at most ${MAX_VALUE_CHARACTERS}, without U+0000 and unpaired surrogates`,
      },
    });
  };
}

function isMetadata(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const pairs = Object.entries(value);
  return (
    pairs.length <= MAX_PAIRS &&
    pairs.every(
      ([name, text]) => isText(name, 1, MAX_NAME_CHARACTERS) && isText(text, 0, MAX_VALUE_CHARACTERS),
    )
  );
}

function isText(value: unknown, min: number, max: number): boolean {
  return typeof value === 'string' && value.length >= min && value.length <= max && isStorable(value);
}
