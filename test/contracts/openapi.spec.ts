import type { OpenAPIObject } from '@nestjs/swagger';
import { beforeAll, describe, expect, it } from 'vitest';
import { EVENT_TYPES } from '../../src/webhooks/events/event-types.js';
import { offlineOpenApiDocument } from '../../src/app/docs/openapi-offline.js';
import { createValidator, operationsOf } from '../support/app/openapi-conformance.js';

let document: OpenAPIObject;
beforeAll(async () => {
  // As sent: without what JSON cannot carry.
  document = JSON.parse(JSON.stringify(await offlineOpenApiDocument())) as OpenAPIObject;
});

/** Every object inside a value, with the path to it. */
function* objectsIn(value: unknown, path = '#'): Generator<[string, Record<string, unknown>]> {
  if (typeof value !== 'object' || value === null) return;
  yield [path, value as Record<string, unknown>];
  for (const [name, member] of Object.entries(value)) {
    yield* objectsIn(member, `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  }
}

function resolve(pointer: string): unknown {
  const steps = pointer.slice(2).split('/');
  const names = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return names.reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], document);
}

/** Members that each kind of object may have (OpenAPI 3.1.1, section 4.8); `x-…` are allowed everywhere. */
const MEMBERS = {
  document: [
    'openapi',
    'info',
    'jsonSchemaDialect',
    'servers',
    'paths',
    'webhooks',
    'components',
    'security',
    'tags',
    'externalDocs',
  ],
  info: ['title', 'summary', 'description', 'termsOfService', 'contact', 'license', 'version'],
  components: [
    'schemas',
    'responses',
    'parameters',
    'examples',
    'requestBodies',
    'headers',
    'securitySchemes',
    'links',
    'callbacks',
    'pathItems',
  ],
  operation: [
    'tags',
    'summary',
    'description',
    'externalDocs',
    'operationId',
    'parameters',
    'requestBody',
    'responses',
    'callbacks',
    'deprecated',
    'security',
    'servers',
  ],
  parameter: [
    'name',
    'in',
    'description',
    'required',
    'deprecated',
    'allowEmptyValue',
    'style',
    'explode',
    'allowReserved',
    'schema',
    'example',
    'examples',
    'content',
  ],
  response: ['description', 'headers', 'content', 'links'],
  media: ['schema', 'example', 'examples', 'encoding'],
} as const;

function expectMembers(kind: keyof typeof MEMBERS, value: object, where: string): void {
  const unknown = Object.keys(value).filter(
    (name) => !name.startsWith('x-') && !(MEMBERS[kind] as readonly string[]).includes(name),
  );
  expect(unknown, where).toEqual([]);
}

describe('the OpenAPI document', () => {
  it('is a 3.1 document with only the members of OpenAPI 3.1', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    expect(document.info.title).toMatch(/\w/);
    expect(document.info.version).toMatch(/^\d+\.\d+\.\d+$/);
    expectMembers('document', document, 'document');
    expectMembers('info', document.info, 'info');
    expectMembers('components', document.components!, 'components');
  });

  it('has no dangling reference', () => {
    const references = [...objectsIn(document)].filter(([, value]) => typeof value['$ref'] === 'string');
    expect(references.length).toBeGreaterThan(20);
    for (const [path, { $ref }] of references)
      expect(resolve($ref as string), `${path} → ${$ref as string}`).toBeDefined();
  });

  it('has operations with unique ids, a summary, one tag and valid parameters', () => {
    const operations = operationsOf(document);
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { path, method } of operations) {
      const where = `${method} ${path}`;
      expect(path, where).toMatch(/^\//);
      const operation = document.paths[path]![method.toLowerCase() as 'get']!;
      expectMembers('operation', operation, where);
      expect(operation.summary, where).toMatch(/\w/);
      expect(operation.tags, where).toHaveLength(1);
      const parameters = (operation.parameters ?? []) as { name: string; in: string; required?: boolean }[];
      for (const parameter of parameters) {
        expectMembers('parameter', parameter, `${where} ${parameter.name}`);
        expect(['query', 'header', 'path', 'cookie']).toContain(parameter.in);
      }
      const inPath = parameters.filter((parameter) => parameter.in === 'path');
      expect(inPath.map(({ name }) => name).toSorted(), where).toEqual(
        [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!).toSorted(),
      );
      for (const { required } of inPath) expect(required, where).toBe(true);
      if (method === 'GET' || method === 'DELETE') expect(operation, where).not.toHaveProperty('requestBody');
    }
  });

  it('describes every response: errors as problem documents, others with a body unless 204, 302 or 304', () => {
    for (const { path, method, responses } of operationsOf(document)) {
      for (const [status, response] of Object.entries(responses)) {
        const where = `${method} ${path} ${status}`;
        expect(status, where).toMatch(/^[2345]\d\d$/);
        expectMembers('response', response, where);
        expect(response, where).toHaveProperty('description');
        const types = Object.keys(response.content ?? {});
        for (const media of Object.values(response.content ?? {})) expectMembers('media', media, where);
        if (Number(status) >= 400) expect(types, where).toEqual(['application/problem+json']);
        else if (['204', '302', '304'].includes(status)) expect(types, where).toEqual([]);
        else expect(types.length, where).toBeGreaterThan(0);
      }
      // Several success statuses: an event stream that has ended, a new job that is unfinished or a dry run,
      // a part of a file, and a resource that is new or replaced (or a batch as a dry run).
      const isStream = responses['200']?.content?.['text/event-stream'] !== undefined;
      const isNewJob = method === 'POST' && path === '/api/ai/enhance';
      const isSaved = method === 'PUT' || (method === 'POST' && path === '/api/ai/batches');
      const isFile = path.startsWith('/files/') || path.endsWith('/results.zip');
      const several = isStream
        ? ['200', '204']
        : isNewJob
          ? ['200', '201', '202']
          : isFile
            ? ['200', '206']
            : isSaved
              ? ['200', '201']
              : null;
      expect(
        Object.keys(responses).filter((status) => status.startsWith('2')),
        path,
      ).toEqual(several ?? [expect.any(String)]);
    }
  });

  it('has only schemas that are valid in the strict mode of JSON Schema 2020-12', () => {
    // OpenAPI's own vocabulary, as far as it is used.
    const options = { strict: true, strictTypes: false, strictRequired: false, keywords: ['example'] };
    const base = 'https://openapi.test/strict';
    const components = JSON.parse(
      JSON.stringify(document.components?.schemas).replaceAll('"#/components/schemas/', `"${base}#/$defs/`),
    ) as Record<string, object>;
    const validator = createValidator(options).addSchema({ $id: base, $defs: components });
    for (const name of Object.keys(components)) {
      expect(() => validator.compile({ $ref: `${base}#/$defs/${name}` }), name).not.toThrow();
    }
    for (const [path, value] of objectsIn(document.paths)) {
      const { schema } = value;
      if (typeof schema !== 'object' || schema === null) continue;
      const text = JSON.stringify(schema).replaceAll('"#/components/schemas/', `"${base}#/$defs/`);
      expect(() => validator.compile(JSON.parse(text) as object), path).not.toThrow();
    }
  });

  it('has no unused schema', () => {
    const used = new Set([...objectsIn(document)].map(([, { $ref }]) => $ref));
    const names = Object.keys(document.components?.schemas ?? {});
    expect(names.filter((name) => !used.has(`#/components/schemas/${name}`))).toEqual([]);
  });

  it('requires the key in x-api-key under /api/ only, and never a bearer token', () => {
    expect(document.components?.securitySchemes).toEqual({
      apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
    });
    for (const { path, method } of operationsOf(document)) {
      const { security } = document.paths[path]![method.toLowerCase() as 'get']!;
      const needsKey = path.startsWith('/api/');
      const demands = (security ?? []).length > 0 && (security ?? []).every((one) => 'apiKey' in one);
      expect(demands, `${method} ${path}`).toBe(needsKey);
    }
  });

  it('describes every operation and every parameter', () => {
    for (const { path, method } of operationsOf(document)) {
      const operation = document.paths[path]![method.toLowerCase() as 'get']!;
      expect(operation.description, `${method} ${path}`).toEqual(expect.stringMatching(/\.$/));
      for (const parameter of (operation.parameters ?? []) as { name: string; description?: string }[])
        expect(parameter.description, `${method} ${path} ${parameter.name}`).toEqual(expect.any(String));
    }
  });

  it('has JSON body schemas that reject unknown fields, each with a valid example', () => {
    const base = 'https://openapi.test/bodies';
    const schemas = document.components!.schemas as Record<string, { additionalProperties?: unknown }>;
    const text = JSON.stringify(schemas).replaceAll('"#/components/schemas/', `"${base}#/$defs/`);
    const validator = createValidator({ strict: false }).addSchema({
      $id: base,
      $defs: JSON.parse(text) as object,
    });
    const names = operationsOf(document).flatMap(({ path, method }) => {
      const { requestBody } = document.paths[path]![method.toLowerCase() as 'post']!;
      if (requestBody === undefined || '$ref' in requestBody) return [];
      const json = requestBody.content['application/json'];
      if (json === undefined) return [];
      const name = (json.schema as { $ref: string }).$ref.split('/').at(-1)!;
      expect(schemas[name]!.additionalProperties, name).toBe(false);
      const isValid = validator.compile({ $ref: `${base}#/$defs/${name}` });
      expect(isValid(json.example), `${name}: ${JSON.stringify(isValid.errors)}`).toBe(true);
      expect(isValid({ ...(json.example as object), other: 1 })).toBe(false);
      return [name];
    });
    // Endpoints and callbacks share `RotateSecret`.
    expect([...new Set(names)].toSorted()).toEqual([
      'CreateBatch',
      'CreateDirectUpload',
      'CreateEndpoint',
      'CreateJob',
      'Recover',
      'RetryBatch',
      'RotateSecret',
      'SavePreset',
      'UpdateEndpoint',
      'UploadFromUrl',
    ]);
    expect(schemas['Output']!.additionalProperties).toBe(false);
  });

  it('names schemas without the suffix of the classes', () => {
    expect(Object.keys(document.components!.schemas!).filter((name) => name.endsWith('Dto'))).toEqual([]);
    expect(JSON.stringify(document)).not.toMatch(/schemas\/\w+Dto"/);
  });

  it('has a webhook for each event type, with a schema that its example satisfies', () => {
    const { webhooks = {} } = document as unknown as {
      webhooks?: Record<
        string,
        { post: { requestBody: { content: Record<string, { schema: object; example: object }> } } }
      >;
    };
    expect(Object.keys(webhooks)).toEqual([...EVENT_TYPES]);
    for (const [type, { post }] of Object.entries(webhooks)) {
      const { schema, example } = post.requestBody.content['application/json']!;
      const isValid = createValidator({ strict: false }).compile(schema);
      expect(isValid(example), `${type}: ${JSON.stringify(isValid.errors)}`).toBe(true);
    }
  });

  it('marks optional bodies', () => {
    const { requestBody } = document.paths['/api/webhooks/endpoints/{id}/rotate-secret']!.post!;
    expect(requestBody).toMatchObject({ required: false });
  });
});
