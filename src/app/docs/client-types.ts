/** As much of a JSON Schema (OpenAPI 3.1) as the document of this service uses. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly (string | number)[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

/** The parts of an OpenAPI document that types are made from. */
export interface ApiDocument {
  readonly paths: object;
  readonly components?: { readonly schemas?: object };
}

const HEADER = `// Made from the OpenAPI document by \`npm run docs:sync\`. Do not edit.
/* eslint-disable max-lines -- one file for all that the document defines */
`;
const PREFIX = '#/components/schemas/';
/** Addresses that the client libraries speak to. */
const CLIENT_PATH = /^\/api\/(?:ai|usage|webhooks)\b/;

/** TypeScript of every schema that the API for customers uses: what answers hold, for clients/js. */
export function clientTypes(document: ApiDocument): string {
  const schemas = (document.components?.schemas ?? {}) as Readonly<Record<string, Schema>>;
  const paths = Object.entries(document.paths).filter(([path]) => CLIENT_PATH.test(path));
  const used = reachable(paths, schemas);
  const types = [...used].toSorted().map((name) => declaration(name, schemas[name]!));
  return `${HEADER}\n${types.join('\n\n')}\n`;
}

/** The names of all schemas that `root` refers to, directly or not. */
function reachable(root: unknown, schemas: Readonly<Record<string, Schema>>): Set<string> {
  const found = new Set<string>();
  const visit = (node: unknown): void => {
    for (const [, name] of JSON.stringify(node).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (found.has(name!)) continue;
      found.add(name!);
      visit(schemas[name!]);
    }
  };
  visit(root);
  return found;
}

/** Clients do not care what a class is for on the server. */
const nameOf = (name: string): string => name.replace(/Dto$/, '');

function declaration(name: string, schema: Schema): string {
  const comment = documentation(schema, '');
  const isPlain = schema.properties !== undefined && schema.anyOf === undefined && schema.allOf === undefined;
  return isPlain
    ? `${comment}export interface ${nameOf(name)} ${members(schema, '')}`
    : `${comment}export type ${nameOf(name)} = ${typeOf(schema, '')};`;
}

function members(schema: Schema, indent: string): string {
  const inner = `${indent}  `;
  const lines = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const mark = schema.required?.includes(name) === true ? '' : '?';
    return `${documentation(property, inner)}${inner}${name}${mark}: ${typeOf(property, inner)};`;
  });
  return `{\n${lines.join('\n')}\n${indent}}`;
}

function documentation({ description }: Schema, indent: string): string {
  if (description === undefined) return '';
  return `${indent}/** ${description.replaceAll('*/', '*\\/').replaceAll(/\s+/g, ' ')} */\n`;
}

function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref.slice(PREFIX.length));
  const union = schema.anyOf ?? schema.oneOf;
  if (union !== undefined) return union.map((part) => typeOf(part, indent)).join(' | ');
  if (schema.allOf !== undefined) return schema.allOf.map((part) => typeOf(part, indent)).join(' & ');
  const types = Array.isArray(schema.type) ? (schema.type as readonly string[]) : [schema.type as string];
  if (schema.enum !== undefined) {
    const values = schema.enum.map((value) => JSON.stringify(value));
    return [
      ...values,
      ...(types.includes('null') && !schema.enum.includes(null as never) ? ['null'] : []),
    ].join(' | ');
  }
  return types.map((type) => simpleType(type, schema, indent)).join(' | ');
}

function simpleType(type: string | undefined, schema: Schema, indent: string): string {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return `Array<${schema.items === undefined ? 'unknown' : typeOf(schema.items, indent)}>`;
    case 'object':
      return objectType(schema, indent);
    default:
      return 'unknown';
  }
}

function objectType(schema: Schema, indent: string): string {
  if (schema.properties !== undefined) return members(schema, indent);
  const values = schema.additionalProperties;
  return `Record<string, ${typeof values === 'object' ? typeOf(values, indent) : 'unknown'}>`;
}
