import { type ApiDocument, reachable, type Schema, type Schemas, schemasOf, targetOf } from './api-schema.js';

const HEADER = `// Made from the OpenAPI document by \`npm run docs:sync\`. Do not edit.
/* eslint-disable max-lines -- one file for all that the document defines */
`;
/** Paths that the client libraries call. */
const CLIENT_PATH = /^\/api\/(?:ai|usage|webhooks)\b/;

/** TypeScript of every response schema of the public API, for clients/js. */
export function clientTypes(document: ApiDocument): string {
  return `${HEADER}\n${declarations([...clientSchemas(document)], schemasOf(document))}`;
}

/**
 * TypeScript of the schemas that only the dashboard's routes use, for web, which imports the others from clients/js.
 */
export function sessionTypes(session: ApiDocument, published: ApiDocument): string {
  const shared = clientSchemas(published);
  const schemas = { ...schemasOf(published), ...schemasOf(session) };
  const used = [...reachable(session.paths, schemas), ...reachable(publicPaths(published), schemas)];
  const own = [...new Set(used)].filter((name) => !shared.has(name));
  const parts = own.map((name) => schemas[name]);
  const imported = [...shared].filter((name) => JSON.stringify(parts).includes(`/${name}"`));
  const names = imported.toSorted().join(', ');
  const imports = names === '' ? '' : `import type { ${names} } from 'image-enhancement-client';\n\n`;
  return `${HEADER}\n${imports}${declarations(own, schemas)}`;
}

/** TypeScript types of the operator console's schemas, for web. */
export function operatorTypes(document: ApiDocument): string {
  const schemas = schemasOf(document);
  return `${HEADER}\n${declarations([...reachable(document.paths, schemas)], schemas)}`;
}

/** The paths outside the public API that the dashboard reads. */
const publicPaths = ({ paths }: ApiDocument): unknown =>
  Object.entries(paths).filter(([path]) => path === '/health/models');

/** The names of all schemas that the public API uses. */
function clientSchemas(document: ApiDocument): Set<string> {
  const paths = Object.entries(document.paths).filter(([path]) => CLIENT_PATH.test(path));
  return reachable(paths, schemasOf(document));
}

function declarations(names: readonly string[], schemas: Schemas): string {
  return `${names
    .toSorted()
    .map((name) => declaration(name, schemas[name]!))
    .join('\n\n')}\n`;
}

function declaration(name: string, schema: Schema): string {
  const comment = documentation(schema, '');
  const isPlain = schema.properties !== undefined && schema.anyOf === undefined && schema.allOf === undefined;
  return isPlain
    ? `${comment}export interface ${name} ${members(schema, '')}`
    : `${comment}export type ${name} = ${typeOf(schema, '')};`;
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
  if (schema.$ref !== undefined) return targetOf(schema.$ref);
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
