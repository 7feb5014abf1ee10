/** A JSON Schema fragment (draft 2020-12); plain data. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/**
 * The shape of a JSON value: one object both checks the value and publishes its JSON Schema, so that the schema shown
 * by an editor always matches the service's check.
 */
export interface Shape {
  readonly schema: JsonSchema;
  /** Every error as "path must be …", empty when the value matches. `path` is '' at the root. */
  faults(value: unknown, path: string): readonly string[];
}

/** Longest quotation of a wrong value in a fault. */
const MAX_SHOWN_LENGTH = 200;

function shown(value: unknown): string {
  if (value === undefined) return 'missing';
  const text = jsonOf(value);
  return `not ${text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text}`;
}

/** `JSON.parse` reads values that are nested too deeply for `JSON.stringify`. */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return 'a deeply nested value';
  }
}

const at = (path: string, key: string | number): string => (path === '' ? String(key) : `${path}.${key}`);

function leaf(schema: JsonSchema, text: string, fits: (value: unknown) => boolean): Shape {
  return {
    schema,
    faults: (value, path) => (fits(value) ? [] : [`${path} must be ${text}, ${shown(value)}`]),
  };
}

/** A string that matches a pattern. `text` describes the pattern. */
export function matching(pattern: RegExp, text: string, description?: string): Shape {
  const schema = { type: 'string', pattern: pattern.source, ...(description && { description }) };
  return leaf(schema, text, (value) => typeof value === 'string' && pattern.test(value));
}

/**
 * A text for people. Versions are announced to all workers through the database, which stores neither U+0000 nor
 * unpaired surrogates.
 */
export function sentence(description: string): Shape {
  const text = 'a text that is not empty and has no control characters';
  return matching(/^(?=\s*\S)(?:[^\p{Cc}\p{Cs}]|[\t-\r])+$/u, text, description);
}

/** An integer in a closed range. */
export function whole(minimum: number, maximum: number, description: string): Shape {
  return leaf(
    { type: 'integer', minimum, maximum, description },
    `a whole number from ${minimum} to ${maximum}`,
    (value) => Number.isInteger(value) && (value as number) >= minimum && (value as number) <= maximum,
  );
}

/** Any finite number in a closed range. */
export function real(minimum: number, maximum: number, description: string): Shape {
  return leaf(
    { type: 'number', minimum, maximum, description },
    `a number from ${minimum} to ${maximum}`,
    (value) => typeof value === 'number' && value >= minimum && value <= maximum,
  );
}

/** One of a fixed set of words. */
export function word(values: readonly string[], description: string): Shape {
  return leaf(
    { enum: values, description },
    values.length === 1 ? `"${values[0]}"` : `one of ${values.join(', ')}`,
    (value) => typeof value === 'string' && values.includes(value),
  );
}

/** A list of at least `minItems` values of one shape. */
export function list(item: Shape, minItems: number, description: string): Shape {
  return listed(item, { type: 'array', items: item.schema, minItems, description }, `at least ${minItems}`);
}

/** A list of `minItems` to `maxItems` values of one shape. */
export function listOf(item: Shape, minItems: number, maxItems: number, description: string): Shape {
  const schema = { type: 'array', items: item.schema, minItems, maxItems, description };
  return listed(item, schema, minItems === maxItems ? `${minItems}` : `${minItems} to ${maxItems}`, maxItems);
}

function listed(item: Shape, schema: JsonSchema, count: string, maxItems = Infinity): Shape {
  return {
    schema,
    faults: (value, path) => {
      if (!Array.isArray(value) || value.length < (schema['minItems'] as number) || value.length > maxItems)
        return [`${path} must be a list with ${count} entries, ${shown(value)}`];
      return value.flatMap((element, index) => item.faults(element, at(path, index)));
    },
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object with arbitrary names and values of one shape; `keyText` describes a valid name. */
export function dictionary(key: RegExp, keyText: string, item: Shape, description: string): Shape {
  return {
    schema: {
      type: 'object',
      propertyNames: { pattern: key.source },
      additionalProperties: item.schema,
      minProperties: 1,
      description,
    },
    faults: (value, path) => {
      if (!isRecord(value) || Object.keys(value).length === 0)
        return [`${path} must be an object with at least one entry, ${shown(value)}`];
      return Object.entries(value).flatMap(([name, element]) =>
        key.test(name)
          ? item.faults(element, at(path, name))
          : [`${at(path, name)} must be named by ${keyText}`],
      );
    },
  };
}

/** An object with known fields. Unknown fields are refused, because a typo would otherwise be silently ignored. */
export function object(
  required: Readonly<Record<string, Shape>>,
  optional: Readonly<Record<string, Shape>> = {},
): Shape {
  const fields: Readonly<Record<string, Shape>> = { ...required, ...optional };
  const names = Object.keys(fields);
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, fields[name]!.schema])),
      required: Object.keys(required),
      additionalProperties: false,
    },
    faults: (value, path) => {
      if (!isRecord(value)) return [`${path || 'the file'} must be an object, ${shown(value)}`];
      const unknown = Object.keys(value).filter((name) => !Object.hasOwn(fields, name));
      return [
        ...unknown.map(
          (name) => `${at(path, name)} must be removed: the known fields are ${names.join(', ')}`,
        ),
        ...names
          .filter((name) => Object.hasOwn(required, name) || value[name] !== undefined)
          .flatMap((name) => fields[name]!.faults(value[name], at(path, name))),
      ];
    },
  };
}

/** One of several objects, distinguished by the field `tag`, which each variant also lists. */
export function variants(tag: string, shapes: Readonly<Record<string, Shape>>): Shape {
  const tags = word(Object.keys(shapes), '');
  return {
    schema: { oneOf: Object.values(shapes).map((shape) => shape.schema) },
    faults: (value, path) => {
      if (!isRecord(value)) return [`${path} must be an object, ${shown(value)}`];
      const found = tags.faults(value[tag], at(path, tag));
      return found.length > 0 ? found : shapes[value[tag] as string]!.faults(value, path);
    },
  };
}

/** One of two objects: with a field, or without it. */
export function either(field: string, withField: Shape, withoutField: Shape): Shape {
  return {
    schema: { oneOf: [withField.schema, withoutField.schema] },
    faults: (value, path) =>
      (isRecord(value) && value[field] !== undefined ? withField : withoutField).faults(value, path),
  };
}
