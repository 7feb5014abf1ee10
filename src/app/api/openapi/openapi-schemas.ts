import type { OpenAPIObject } from '@nestjs/swagger';
import { reachable, type Schema, schemasOf } from '../../docs/api-schema.js';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

const withSchemas = (document: OpenAPIObject, schemas: Schemas): OpenAPIObject => ({
  ...document,
  components: { ...document.components, schemas },
});

/** A document with a subset of the paths and the schemas that they refer to, sorted by name. */
export function onlyPaths(document: OpenAPIObject, isPart: (path: string) => boolean): OpenAPIObject {
  const paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => isPart(path)));
  const all = document.components?.schemas ?? {};
  const used = [...reachable(paths, schemasOf(document))].toSorted();
  return withSchemas({ ...document, paths }, Object.fromEntries(used.map((name) => [name, all[name]!])));
}

/** Closes the schemas of request bodies, because the service refuses unknown fields. */
export function withClosedRequests(document: OpenAPIObject): OpenAPIObject {
  const schemas = schemasOf(document);
  const bodies = Object.values(document.paths)
    .flatMap((item) => [item.post, item.put, item.patch])
    .flatMap((operation) => operation?.requestBody ?? []);
  const closed = [...reachable(bodies, schemas)].map((name) => [name, close(schemas[name]!)]);
  return withSchemas(document, { ...schemas, ...Object.fromEntries(closed) } as Schemas);
}

const close = (schema: Schema): Schema =>
  schema.properties === undefined ? schema : { ...schema, additionalProperties: false };

/** Renames the schemas to their public names: `Job` instead of the class name `JobDto`. */
export function withPublicNames(document: OpenAPIObject): OpenAPIObject {
  const schemas = Object.entries(document.components?.schemas ?? {});
  const named = Object.fromEntries(schemas.map(([name, schema]) => [publicName(name), schema]));
  const text = JSON.stringify(withSchemas(document, named)).replaceAll(
    /"(#\/components\/schemas\/)(\w+)"/g,
    (_, prefix: string, name: string) => `"${prefix}${publicName(name)}"`,
  );
  return JSON.parse(text) as OpenAPIObject;
}

const publicName = (name: string): string => name.replace(/Dto$/, '');
