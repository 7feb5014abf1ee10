import { ValidateIf } from 'class-validator';

/** A field that may be left out, but must be valid when it is there: null is not "left out". */
export const IsOmittable = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);

/** A field that may be left out or null. */
export const IsNullable = (): PropertyDecorator =>
  ValidateIf((_, value) => value !== undefined && value !== null);
