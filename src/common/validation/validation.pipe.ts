import { type ArgumentMetadata, Injectable, ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { AppError, type FieldError } from '../../kernel/app-error.js';
import { isStorable } from '../../kernel/storable-text.js';
import { refusedMember } from './checked.validator.js';
import { isOptionalBody } from './optional-body.decorator.js';
import { MAX_MEMBERS, tooManyMembers, UnreadableBody } from './request-body.js';

/**
 * Validates bodies and queries against their DTO. Reports all errors at once and rejects unknown fields. A path
 * parameter that PostgreSQL cannot store is reported as not found.
 */
@Injectable()
export class RequestValidationPipe extends ValidationPipe {
  constructor() {
    super({
      whitelist: true,
      forbidNonWhitelisted: true,
      transform: true,
      stopAtFirstError: true,
      exceptionFactory: (errors) => invalidRequest(errors.flatMap((error) => fieldErrors(error, ''))),
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (value instanceof UnreadableBody) throw value.error;
    if (isUnstorable(value, metadata)) throw new AppError('not_found');
    if (metadata.type === 'body' && value === undefined && isOptionalBody(metadata.metatype))
      return super.transform({}, metadata);
    if (metadata.type === 'body' && (typeof value !== 'object' || value === null || Array.isArray(value))) {
      throw invalidRequest([{ field: '', code: 'type', message: 'The body must be a JSON object.' }]);
    }
    if (metadata.type === 'query' && Object.keys(value ?? {}).length > MAX_MEMBERS)
      throw tooManyMembers('query');
    if (metadata.type === 'body' || metadata.type === 'query') refuseReserved(value);
    return super.transform(value, metadata);
  }
}

/** Preset names and share link tokens are checked where they are used, with their own errors. */
const CHECKED_LATER: ReadonlySet<string | undefined> = new Set(['name', 'token']);

/** PostgreSQL would reject the query, and nothing can have such an id. */
function isUnstorable(value: unknown, { type, data }: ArgumentMetadata): boolean {
  return type === 'param' && typeof value === 'string' && !CHECKED_LATER.has(data) && !isStorable(value);
}

/**
 * Names of properties that every JavaScript object has. The transformer drops them silently, so the pipe rejects them.
 */
const isReserved = (name: string): boolean => name === 'prototype' || name in Object.prototype;

/** Deeper than any valid body, and shallow enough for recursion. */
const MAX_DEPTH = 16;
/** Maximum errors that are reported for a request. */
const MAX_FAULTS = 20;

function refuseReserved(given: unknown): void {
  const errors: FieldError[] = [];
  const visit = (value: unknown, parent: string, depth: number): void => {
    if (typeof value !== 'object' || value === null) return;
    if (depth > MAX_DEPTH)
      throw invalidRequest([
        { field: parent.slice(0, 100), code: 'depth', message: 'The body is nested too deeply.' },
      ]);
    for (const [name, member] of Object.entries(value)) {
      const field = parent === '' ? name : `${parent}.${name}`;
      if (isReserved(name)) errors.push({ field, code: 'unknown', message: `${field} is not allowed.` });
      else visit(member, field, depth + 1);
    }
  };
  visit(given, '', 1);
  if (errors.length > 0) throw invalidRequest(errors);
}

/** A 400 with these errors. */
export function invalidRequest(errors: readonly FieldError[]): AppError {
  const shown = errors.slice(0, MAX_FAULTS);
  const named = shown.map((error) => error.message).join(' ');
  return new AppError('invalid_request', { detail: named || 'The request is not valid.', errors: shown });
}

const CODES: Readonly<Record<string, string>> = {
  whitelistValidation: 'unknown',
  isDefined: 'required',
  isIn: 'enum',
  isInt: 'type',
  isString: 'type',
  isObject: 'type',
  isArray: 'type',
  objects: 'type',
  isBoolean: 'type',
  arrayMinSize: 'range',
  arrayMaxSize: 'range',
  isNumber: 'type',
  min: 'range',
  max: 'range',
};

function fieldErrors(error: ValidationError, parent: string): FieldError[] {
  const field = parent === '' ? error.property : `${parent}.${error.property}`;
  const own = Object.entries(error.constraints ?? {}).map(([rule, message]) => ({
    field: [field, refusedMember(rule, error.value)].filter(Boolean).join('.'),
    code: CODES[rule] ?? rule,
    message:
      rule === 'whitelistValidation'
        ? `${field} is not a known field.`
        : sentence(message, error.property, field),
  }));
  return [...own, ...(error.children ?? []).flatMap((child) => fieldErrors(child, field))];
}

function sentence(message: string, property: string, field: string): string {
  const choices = message.replace(/must be one of the following values: (.*)$/, (_, values: string) =>
    values.includes(',') ? `must be one of ${values}` : `must be ${values}`,
  );
  const named = choices.startsWith(property) ? field + choices.slice(property.length) : choices;
  return named.endsWith('.') ? named : `${named}.`;
}
