import { type ApiDocument, type Schema, type Schemas, schemasOf, targetOf } from './api-schema.js';
import { PYTHON_MODELS, type PythonModel } from './python-model-list.js';

const HEADER = `"""What the service answers. Made from the OpenAPI document by \`\`npm run docs:sync\`\`. Do not edit."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import List, Mapping, Optional, Union

from .json import Json
from .mixins import BatchEnding, Ending
from .times import optional_time, parse_time
`;
/** Line length of the Python client, in characters. */
const MAX_LINE = 110;
const INDENT = '    ';

interface Field {
  readonly name: string;
  /** A type annotation. */
  readonly type: string;
  /** An expression that reads the field from the object \`data\`. */
  readonly reader: string;
  readonly description: string | undefined;
}

/** Python dataclasses of the API's responses, each with a JSON reader, for clients/python. */
export function pythonModels(document: ApiDocument): string {
  const schemas = schemasOf(document);
  const classes = PYTHON_MODELS.map((model) => dataclassOf(model, fieldsOf(model, schemas)));
  return [HEADER, ...classes].join('\n\n');
}

function dataclassOf(model: PythonModel, fields: readonly Field[]): string {
  const hasRaw = model.hasRaw === true;
  const members = fields.flatMap(({ name, type, description }) => [
    `${INDENT}${name}: ${type}${name === model.secret ? ' = field(repr=False)' : ''}`,
    ...(description === undefined ? [] : docstring(description)),
  ]);
  return [
    '@dataclass(frozen=True)',
    `class ${model.name}${model.base === undefined ? '' : `(${model.base})`}:`,
    ...docstring(model.doc),
    '',
    ...members,
    ...(hasRaw ? [`${INDENT}raw: Json = field(repr=False, compare=False)`] : []),
    '',
    `${INDENT}@classmethod`,
    `${INDENT}def from_json(cls, data: Json) -> "${model.name}":`,
    `${INDENT}${INDENT}"""Reads the JSON of the service."""`,
    `${INDENT}${INDENT}return cls(`,
    ...fields.map(({ name, reader }) => `${INDENT.repeat(3)}${name}=${reader},`),
    ...(hasRaw ? [`${INDENT.repeat(3)}raw=data,`] : []),
    `${INDENT}${INDENT})`,
    '',
  ].join('\n');
}

function fieldsOf(model: PythonModel, schemas: Schemas): readonly Field[] {
  const schema = extendedSchema(model, schemas);
  const fields = flatFields(schema, schemas, { prefix: '', source: 'data' }, model.secret);
  const renamed = fields.map((each) => Object.assign(each, { name: model.rename?.[each.name] ?? each.name }));
  if (model.before === undefined) return renamed;
  const [name, next] = model.before;
  const moved = renamed.find((each) => each.name === name)!;
  return renamed
    .filter((each) => each !== moved)
    .flatMap((each) => (each.name === next ? [moved, each] : [each]));
}

/** The component of a model, with the fields of those that extend it, and later ones, as optional fields. */
function extendedSchema({ schema, extended = [], later = [] }: PythonModel, schemas: Schemas): Schema {
  const more = extended.map((name) => schemas[name]!.properties ?? {});
  const own = schemas[schema]!;
  const properties: NonNullable<Schema['properties']> = Object.assign({}, ...more, own.properties);
  return { ...own, properties, required: (own.required ?? []).filter((name) => !later.includes(name)) };
}

/** The object from which the fields of a schema are read. */
interface Place {
  /** Prefix of the field names. */
  readonly prefix: string;
  /** An expression for the object. */
  readonly source: string;
  /** Whether the object may be missing, and so each of its fields. */
  readonly isOptional?: boolean;
}

/** The fields of a schema. Fields of a nested schema without its own model are inlined, prefixed with its name. */
function flatFields(
  schema: Schema,
  schemas: Schemas,
  { prefix, source, isOptional: isPlaceOptional = false }: Place,
  secret?: string,
): readonly Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    const name = `${prefix}${snakeCase(key)}`;
    const part = referenceOf(property);
    const mayLack = isPlaceOptional || schema.required?.includes(key) !== true || isNullable(property);
    if (part !== undefined && modelOf(part) === undefined)
      return flatFields(schemas[part]!, schemas, {
        prefix: `${name}_`,
        source: mayLack ? `(${source}.get("${key}") or {})` : `${source}["${key}"]`,
        isOptional: mayLack,
      });
    const isOptional = mayLack || key === secret;
    const value = valueOf(property, source, key);
    return [
      {
        name,
        description: property.description,
        type: isOptional && value.optional !== value.required ? `Optional[${value.type}]` : value.type,
        reader: isOptional ? value.optional : value.required,
      },
    ];
  });
}

interface Value {
  readonly type: string;
  /** Reads a required member. */
  readonly required: string;
  /** Reads a member that may be null or absent. */
  readonly optional: string;
}

function valueOf(property: Schema, source: string, key: string): Value {
  const [required, optional] = [`${source}["${key}"]`, `${source}.get("${key}")`];
  const model = modelOf(referenceOf(property) ?? '');
  if (model !== undefined) {
    const read = `${model}.from_json(${required})`;
    return { type: model, required: read, optional: `None if ${optional} is None else ${read}` };
  }
  if (property.oneOf !== undefined) return { type: unionOf(property.oneOf), required, optional };
  const kind = [property.type].flat().find((type) => type !== 'null');
  if (property.format === 'date-time')
    return {
      type: 'datetime',
      required: `parse_time(${required})`,
      optional: `optional_time(${optional})`,
    };
  if (kind === 'array') return listOf(property.items!, required, optional);
  if (kind === 'object') {
    const values = property.additionalProperties;
    const type = typeof values === 'object' ? `Mapping[str, ${SCALARS[String(values.type)]}]` : 'Json';
    return { type, required: type === 'Json' ? required : `${optional} or {}`, optional };
  }
  return { type: SCALARS[kind!]!, required, optional };
}

/** Values of several types are passed through unchanged. */
function unionOf(parts: readonly Schema[]): string {
  const types = parts.map(({ type }) => [type].flat().find((each) => each !== 'null'));
  const names = types.filter((type) => type !== undefined).map((type) => SCALARS[type] ?? 'Json');
  return `Union[${names.join(', ')}]`;
}

function listOf(items: Schema, required: string, optional: string): Value {
  const model = modelOf(referenceOf(items) ?? '');
  if (model === undefined)
    return { type: `List[${SCALARS[String(items.type)]}]`, required: `list(${required})`, optional };
  const read = `[${model}.from_json(each) for each in ${optional} or []]`;
  return { type: `List[${model}]`, required: read, optional: read };
}

const SCALARS: Readonly<Record<string, string>> = {
  string: 'str',
  boolean: 'bool',
  integer: 'int',
  number: 'float',
};

const modelOf = (schema: string): string | undefined =>
  PYTHON_MODELS.find((model) => model.schema === schema)?.name;

/** The component that a property contains, alone or with a description or null. */
function referenceOf({ $ref, allOf, anyOf }: Schema): string | undefined {
  const reference = $ref ?? (allOf ?? anyOf)?.find((part) => part.$ref !== undefined)?.$ref;
  return reference === undefined ? undefined : targetOf(reference);
}

const isNullable = ({ type, anyOf, oneOf }: Schema): boolean =>
  [type].flat().includes('null') || (anyOf ?? oneOf)?.some((part) => part.type === 'null') === true;

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Wraps text to the line length, and converts Markdown code spans to reStructuredText. */
function docstring(text: string): string[] {
  const marked = text.replaceAll(/\s+/g, ' ').replaceAll(/(?<!`)`([^`]+)`(?!`)/g, '``$1``');
  const lines = [`${INDENT}"""`];
  for (const word of marked.split(' ')) {
    const last = lines.at(-1)!;
    const joined = last.endsWith('"""') || last === INDENT ? `${last}${word}` : `${last} ${word}`;
    if (joined.length <= MAX_LINE - 3) lines[lines.length - 1] = joined;
    else lines.push(`${INDENT}${word}`);
  }
  lines[lines.length - 1] += '"""';
  return lines;
}
