/** A JSON Schema (2020-12), as far as the catalogue of events needs it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** An object that has all of these properties, and may get more in later versions. */
export function objectOf(properties: Readonly<Record<string, JsonSchema>>, description?: string): JsonSchema {
  return withOptional(properties, {}, description);
}

/** An object that has all of the first properties and may have the second. */
export function withOptional(
  properties: Readonly<Record<string, JsonSchema>>,
  optional: Readonly<Record<string, JsonSchema>>,
  description?: string,
): JsonSchema {
  return {
    type: 'object',
    ...(description === undefined ? {} : { description }),
    required: Object.keys(properties),
    properties: { ...properties, ...optional },
  };
}

/** The same, or null. */
export function orNull(schema: JsonSchema): JsonSchema {
  return { ...schema, type: [schema['type'], 'null'] };
}

export const TEXT: JsonSchema = { type: 'string' };
export const COUNT: JsonSchema = { type: 'integer', minimum: 0 };
export const TIME: JsonSchema = { type: 'string', format: 'date-time' };
export const ADDRESS: JsonSchema = { type: 'string', format: 'uri' };
/** Pixels of an edge. */
export const EDGE: JsonSchema = { type: 'integer', minimum: 1 };
export const SHA256: JsonSchema = { type: 'string', pattern: '^[0-9a-f]{64}$' };

/** An id with this prefix. */
export function idOf(prefix: string): JsonSchema {
  return { type: 'string', pattern: `^${prefix}_[0-9a-f]{32}$` };
}
