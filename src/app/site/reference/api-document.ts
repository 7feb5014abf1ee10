import { type Schema, type Schemas, targetOf } from '../../docs/api-schema.js';

/** The parts of the OpenAPI document that the reference shows. */
export interface ReferenceDocument {
  readonly info: { readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  readonly webhooks: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly components: { readonly schemas: Schemas };
}

export interface ApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly ApiParameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: ApiContent };
  readonly responses: Readonly<Record<string, ApiResponse>>;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly 'x-codeSamples'?: readonly CodeSample[];
}

export interface ApiParameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: ApiSchema;
}

export interface ApiResponse {
  readonly description: string;
  readonly content?: ApiContent;
}

export type ApiContent = Readonly<Record<string, { readonly schema: ApiSchema; readonly example?: object }>>;

/** The keywords that restrict a value, besides its type. */
export interface ApiSchema extends Schema {
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxLength?: number;
}

/** A sample of an operation (https://redocly.com/docs-legacy/api-reference-docs/specification-extensions/x-code-samples). */
export interface CodeSample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

/** One operation with its path. */
export interface PlacedOperation {
  readonly method: string;
  /** A path of the API, or the name of an event. */
  readonly path: string;
  readonly operation: ApiOperation;
}

export function placedOperations(items: ReferenceDocument['paths']): PlacedOperation[] {
  return Object.entries(items).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

/** Resolves a reference or a single member of `allOf`, and keeps the schema's own description. */
export function resolved(schema: ApiSchema, schemas: Schemas): ApiSchema {
  const only = schema.allOf?.length === 1 ? schema.allOf[0]! : schema;
  if (only.$ref === undefined) return schema.allOf?.length === 1 ? { ...only, ...schema, allOf: [] } : schema;
  const target = schemas[targetOf(only.$ref)] ?? {};
  return schema.description === undefined ? target : { ...target, description: schema.description };
}
