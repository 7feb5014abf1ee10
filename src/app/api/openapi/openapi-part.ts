import type { OpenAPIObject } from '@nestjs/swagger';
import { reachable, schemasOf } from '../../docs/api-schema.js';

/** A document with a subset of the paths and the schemas that they refer to, sorted by name. */
export function onlyPaths(document: OpenAPIObject, isPart: (path: string) => boolean): OpenAPIObject {
  const paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => isPart(path)));
  const all = document.components?.schemas ?? {};
  const used = [...reachable(paths, schemasOf(document))].toSorted();
  const schemas = Object.fromEntries(used.map((name) => [name, all[name]!]));
  return { ...document, paths, components: { ...document.components, schemas } };
}
