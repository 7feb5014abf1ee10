import type { OpenAPIObject } from '@nestjs/swagger';
import { reachable, type Schema, schemasOf } from '../../docs/api-schema.js';

type Components = NonNullable<OpenAPIObject['components']>;

/** Closes the schemas of request bodies, because the service refuses unknown fields. */
export function withClosedRequests(document: OpenAPIObject): OpenAPIObject {
  const schemas = schemasOf(document);
  const closed = [...reachable(requestBodies(document), schemas)].map((name) => [
    name,
    close(schemas[name]!),
  ]);
  const all = { ...schemas, ...Object.fromEntries(closed) } as NonNullable<Components['schemas']>;
  return { ...document, components: { ...document.components, schemas: all } };
}

function requestBodies({ paths }: OpenAPIObject): unknown[] {
  return Object.values(paths)
    .flatMap((item) => [item.post, item.put, item.patch])
    .flatMap((operation) => operation?.requestBody ?? []);
}

const close = (schema: Schema): Schema =>
  schema.properties === undefined ? schema : { ...schema, additionalProperties: false };
