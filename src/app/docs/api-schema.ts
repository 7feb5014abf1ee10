/** The subset of JSON Schema (OpenAPI 3.1) that this service's document uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
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

export type Schemas = Readonly<Record<string, Schema>>;

/** The parts of an OpenAPI document from which types are generated. */
export interface ApiDocument {
  readonly paths: object;
  readonly components?: { readonly schemas?: object };
}

const PREFIX = '#/components/schemas/';

export function schemasOf(document: ApiDocument): Schemas {
  return (document.components?.schemas ?? {}) as Schemas;
}

/** The name of the schema that a reference points to. */
export function targetOf($ref: string): string {
  return $ref.slice(PREFIX.length);
}

/** The names of all schemas that `root` refers to, directly or indirectly. */
export function reachable(root: unknown, schemas: Schemas): Set<string> {
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
