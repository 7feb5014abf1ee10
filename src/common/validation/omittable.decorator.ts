import { ValidateIf } from 'class-validator';

/** A field that may be omitted but must be valid if present. Null does not count as omitted. */
export const IsOmittable = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);

/** A field that may be omitted or null. */
export const IsNullable = (): PropertyDecorator =>
  ValidateIf((_, value) => value !== undefined && value !== null);
