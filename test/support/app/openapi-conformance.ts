import { createRequire } from 'node:module';
import type { INestApplication } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { OpenAPIObject } from '@nestjs/swagger';
import {
  openApiDocument,
  operatorApiDocument,
  sessionApiDocument,
} from '../../../src/app/api/openapi/openapi.js';
import type { Answer } from './api-client.js';

interface Validate {
  (data: unknown): boolean;
  readonly errors?: readonly unknown[] | null;
}

interface Ajv {
  addSchema(schema: object): Ajv;
  compile(schema: object): Validate;
}

export interface DocumentedResponse {
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

export interface DocumentedOperation {
  readonly operationId: string;
  readonly method: string;
  /** The path, with parameters in braces. */
  readonly path: string;
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'] as const;
const BASE = 'https://openapi.test/document';
/** ISO 8601 in UTC with milliseconds, as the contract requires for every time. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const DAY = /^\d{4}-\d\d-\d\d$/;

/** The JSON Schema validator (2020-12, the dialect of OpenAPI 3.1) that comes with Fastify. */
export function createValidator(options: object): Ajv {
  const fromHere = createRequire(import.meta.url);
  const fromFastify = createRequire(fromHere.resolve('fastify'));
  const fromCompiler = createRequire(fromFastify.resolve('@fastify/ajv-compiler'));
  const { Ajv2020 } = fromCompiler('ajv/dist/2020.js') as { Ajv2020: new (given: object) => Ajv };
  const formats = {
    'date-time': TIME,
    date: DAY,
    uri: (text: string) => URL.canParse(text),
    int64: true,
    binary: true,
  };
  return new Ajv2020({ allErrors: true, formats, ...options });
}

/** Every operation of a document. */
export function operationsOf(document: OpenAPIObject): DocumentedOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      if (operation === undefined) return [];
      const { operationId, responses } = operation as unknown as DocumentedOperation;
      return [{ operationId, method: method.toUpperCase(), path, responses }];
    }),
  );
}

/** Checks responses against the OpenAPI document: status, content type and body. */
export class OpenApiConformance {
  private readonly ajv: Ajv;
  private readonly operations: readonly { operation: DocumentedOperation; pattern: RegExp }[];
  /** Keyed by the JSON of the schema. Many operations share a schema, such as that of errors. */
  private readonly compiled = new Map<string, Validate>();

  constructor(private readonly document: OpenAPIObject) {
    this.ajv = createValidator({ strict: false }).addSchema({
      $id: BASE,
      components: document.components,
    });
    this.operations = operationsOf(document).map((operation) => ({
      operation,
      pattern: new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    }));
  }

  /** @throws Error that names what the document lacks; ignores routes outside the document */
  check(method: string, path: string, answer: Answer): void {
    const [pathname = ''] = path.split('?');
    const found = this.operations.find(
      ({ operation, pattern }) => operation.method === method && pattern.test(pathname),
    );
    if (found === undefined) return;
    const { operation } = found;
    const what = `${operation.operationId} ${answer.status}`;
    const response = operation.responses[String(answer.status)];
    if (response === undefined) throw new Error(`${what} is not documented: ${answer.text}`);
    const type = answer.headers['content-type']?.split(';')[0];
    if (response.content === undefined) {
      if (type !== undefined) throw new Error(`${what} is documented without a body, and has ${type}`);
      return;
    }
    const media = response.content[type ?? ''];
    if (media === undefined) throw new Error(`${what}: ${type} is not a documented content type`);
    if (/[/+]json$/.test(type ?? '')) this.checkBody(what, media.schema, answer.body);
  }

  private checkBody(what: string, schema: object, body: unknown): void {
    const json = JSON.stringify(schema);
    const validate = this.compiled.get(json) ?? this.compile(json);
    if (!validate(body)) {
      throw new Error(
        `${what} is not as documented: ${JSON.stringify(validate.errors)} in ${JSON.stringify(body)}`,
      );
    }
    const known = this.propertiesOf(schema);
    const unknown = Object.keys(body as object).filter((name) => !known.has(name));
    if (unknown.length > 0) throw new Error(`${what} has undocumented members: ${unknown.join(', ')}`);
  }

  private compile(json: string): Validate {
    const absolute = JSON.parse(json.replaceAll('"$ref":"#/', `"$ref":"${BASE}#/`)) as object;
    const validate = this.ajv.compile(absolute);
    this.compiled.set(json, validate);
    return validate;
  }

  private propertiesOf(schema: object): Set<string> {
    const { $ref, allOf, properties } = schema as {
      $ref?: string;
      allOf?: readonly object[];
      properties?: object;
    };
    const named = $ref?.split('/').at(-1);
    const target = named === undefined ? undefined : this.document.components?.schemas?.[named];
    const known = new Set(Object.keys(properties ?? {}));
    for (const part of [...(allOf ?? []), ...(target === undefined ? [] : [target])]) {
      for (const name of this.propertiesOf(part)) known.add(name);
    }
    return known;
  }
}

/** The checkers for each of the documents of an application. */
export interface Conformance {
  readonly published: OpenApiConformance;
  readonly session: OpenApiConformance;
  readonly operator: OpenApiConformance;
}

/** By controllers. Creating the documents and validators of an application takes a second of CPU. */
const known = new Map<string, Conformance>();

/** Created once for all applications of this worker with the same controllers: documents depend on nothing else. */
export function conformanceOf(app: INestApplication): Conformance {
  const controllers = controllersOf(app);
  const found = known.get(controllers);
  if (found !== undefined) return found;
  const made = {
    published: new OpenApiConformance(openApiDocument(app)),
    session: new OpenApiConformance(sessionApiDocument(app)),
    operator: new OpenApiConformance(operatorApiDocument(app)),
  };
  known.set(controllers, made);
  return made;
}

function controllersOf(app: INestApplication): string {
  const modules = [...app.get(ModulesContainer).values()];
  const names = modules.flatMap(({ controllers }) => [...controllers.values()].map(({ name }) => name));
  return names.join(' ');
}
