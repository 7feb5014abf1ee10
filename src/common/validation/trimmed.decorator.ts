import { Transform } from 'class-transformer';

/** Removes white space around text before it is validated. Other values stay as they are. */
export const Trimmed = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }): unknown => (typeof value === 'string' ? value.trim() : value));
