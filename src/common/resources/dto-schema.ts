import type { Type } from '@nestjs/common';
import { DECORATORS } from '@nestjs/swagger';

/** A JSON Schema (2020-12). */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The schema of an object. Other members are allowed: later versions may add some. */
export interface ObjectSchema extends JsonSchema {
  readonly type: 'object';
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, JsonSchema>>;
}

/** The options of `@ApiProperty` that are not JSON Schema. */
interface PropertyOptions extends JsonSchema {
  /** Of no meaning for a value of several types, which has `oneOf`. */
  readonly type: string | Type;
  readonly required?: boolean;
  readonly nullable?: boolean;
  readonly isArray?: boolean;
  readonly example?: unknown;
}

/**
 * The JSON Schema of a DTO, read from the `@ApiProperty` decorators that also produce its OpenAPI schema. Nested DTOs
 * are inlined, so that the schema is self-contained.
 */
export function schemaOfDto({ prototype }: Type): ObjectSchema {
  const marked = Reflect.getMetadata(DECORATORS.API_MODEL_PROPERTIES_ARRAY, prototype as object) as string[];
  const names = marked.map((name) => name.slice(1));
  const optionsOf = (name: string) =>
    Reflect.getMetadata(DECORATORS.API_MODEL_PROPERTIES, prototype as object, name) as PropertyOptions;
  return {
    type: 'object',
    required: names.filter((name) => optionsOf(name).required !== false),
    properties: Object.fromEntries(names.map((name) => [name, propertySchema(optionsOf(name))])),
  };
}

function propertySchema(options: PropertyOptions): JsonSchema {
  const { required: _required, nullable, isArray, example: _example, type, ...rest } = options;
  if (rest['oneOf'] !== undefined) return rest;
  const schema = { ...typeSchema(type, isArray === true), ...rest };
  return nullable === true ? orNull(schema) : schema;
}

function typeSchema(type: string | Type, isArray: boolean): JsonSchema {
  const one = typeof type === 'string' ? { type } : schemaOfDto(type);
  return isArray && type !== 'array' ? { type: 'array', items: one } : one;
}

function orNull(schema: JsonSchema): JsonSchema {
  const values = schema['enum'] as readonly unknown[] | undefined;
  const type = [schema['type'], 'null'];
  return values === undefined ? { ...schema, type } : { ...schema, type, enum: [...values, null] };
}
