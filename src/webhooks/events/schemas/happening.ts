import type { JsonSchema, ObjectSchema } from '../../../common/resources/dto-schema.js';

/** What an event reports. */
export interface Happening {
  readonly description: string;
  /** JSON Schema of `data`. */
  readonly data: JsonSchema;
  readonly example: Readonly<Record<string, unknown>>;
}

export function objectOf(properties: Readonly<Record<string, JsonSchema>>): ObjectSchema {
  return { type: 'object', required: Object.keys(properties), properties };
}
