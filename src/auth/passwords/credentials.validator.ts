import { registerDecorator, type ValidationArguments } from 'class-validator';
import { isEmail } from '../../kernel/email.js';
import { passwordFault } from './password-rules.js';

/** Accepts text that may be an email address. */
export function IsEmailAddress(): PropertyDecorator {
  return rule('email', {
    validate: (value) => typeof value === 'string' && isEmail(value),
    defaultMessage: ({ property }) => `${property} must be an email address like you@example.org`,
  });
}

/** Accepts a password that is strong enough for a new account, considering the object's `email`. */
export function IsNewPassword(): PropertyDecorator {
  return rule('password', {
    validate: (value, given) => faultOf(value, given) === undefined,
    defaultMessage: (given) => `${given.property} ${faultOf(given.value, given) ?? ''}`,
  });
}

function faultOf(value: unknown, { object }: ValidationArguments): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  const { email } = object as { email?: unknown };
  return passwordFault(value, typeof email === 'string' ? email : '');
}

interface Rule {
  readonly validate: (value: unknown, given: ValidationArguments) => boolean;
  readonly defaultMessage: (given: ValidationArguments) => string;
}

function rule(name: string, { validate, defaultMessage }: Rule): PropertyDecorator {
  return (target, property) => {
    registerDecorator({
      name,
      target: target.constructor,
      propertyName: String(property),
      validator: {
        validate: (value, given) => validate(value, given!),
        defaultMessage: (given) => defaultMessage(given!),
      },
    });
  };
}
