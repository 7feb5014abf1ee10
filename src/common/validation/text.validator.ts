import { registerDecorator } from 'class-validator';
import { isStorable } from '../../kernel/storable-text.js';

/** Accepts text of at most `maxCharacters` that PostgreSQL can store: no U+0000, no unpaired surrogates. */
export function IsPlainText(maxCharacters: number): PropertyDecorator {
  return (target, property) => {
    registerDecorator({
      name: 'text',
      target: target.constructor,
      propertyName: String(property),
      validator: {
        validate: (value: unknown) =>
          typeof value === 'string' && value.length <= maxCharacters && isStorable(value),
        defaultMessage: (given) =>
          `${given?.property ?? ''} must be a string of at most ${maxCharacters} characters`,
      },
    });
  };
}
