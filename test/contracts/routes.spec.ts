import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { RequestMethod } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { OpenAPIObject } from '@nestjs/swagger';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApiDocument } from '../../src/app/api/openapi.js';
import { type Access, ACCESS_METADATA } from '../../src/common/access.decorator.js';
import { type Harness, startHarness } from '../support/harness.js';
import { operationsOf } from '../support/openapi-conformance.js';
import { KEY_ROUTES, OPEN_ROUTES } from '../support/routes.js';

/** Where `@ApiExcludeController` leaves its mark. */
const EXCLUDED = 'swagger/apiExcludeController';
const HTTP_TESTS = 'test/http';
const ROUTES = [...KEY_ROUTES, ...OPEN_ROUTES];

let harness: Harness;
let document: OpenAPIObject;
beforeAll(async () => {
  harness = await startHarness();
  document = openApiDocument(harness.app);
});
afterAll(() => harness.close());

interface Handler {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly access: Access | undefined;
  readonly documented: boolean;
}

/** Every handler of every controller, as Nest serves it. */
function handlers(): Handler[] {
  const controllers = [...harness.app.get(ModulesContainer).values()].flatMap((module) =>
    Array.from(module.controllers.values()),
  );
  return controllers.flatMap(({ metatype }) => {
    const type = metatype as new () => object;
    const prototype = type.prototype as Record<string, object>;
    const read = (key: string, on: object): unknown => Reflect.getMetadata(key, on);
    return Object.getOwnPropertyNames(prototype)
      .filter((name) => name !== 'constructor' && read(PATH_METADATA, prototype[name]!) !== undefined)
      .map((name) => {
        const handler = prototype[name]!;
        const parts = [read(PATH_METADATA, type), read(PATH_METADATA, handler)].map(String);
        return {
          name: `${type.name}.${name}`,
          method: RequestMethod[read(METHOD_METADATA, handler) as number]!,
          path: `/${parts.join('/')}`
            .replaceAll(/\/{2,}/g, '/')
            .replace(/(.)\/$/, '$1')
            .replaceAll(/:(\w+)/g, '{$1}'),
          access: (read(ACCESS_METADATA, handler) ?? read(ACCESS_METADATA, type)) as Access | undefined,
          documented: read(EXCLUDED, type) === undefined,
        };
      });
  });
}

const nameOf = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;

describe('every route', () => {
  it('declares who may call it', () => {
    const all = handlers();
    expect(all.length).toBeGreaterThan(15);
    expect(all.filter(({ access }) => access === undefined).map(({ name }) => name)).toEqual([]);
  });

  it('is in the document, and the document has no other', () => {
    const served = handlers().filter(({ documented }) => documented);
    expect(served.map(nameOf).toSorted()).toEqual(operationsOf(document).map(nameOf).toSorted());
  });

  it('is in the contract, and the contract has no other', () => {
    const documented = operationsOf(document).map((route) => `${route.operationId}: ${nameOf(route)}`);
    expect(documented.toSorted()).toEqual(
      ROUTES.map((route) => `${route.operationId}: ${nameOf(route)}`).toSorted(),
    );
  });

  it('that stays out of the document is a page or the end of all others', () => {
    const hidden = handlers().filter(({ documented }) => !documented);
    expect(hidden.map(({ path }) => path).toSorted()).toEqual([
      '/*',
      '/api/*',
      '/docs/errors',
      '/docs/plans',
    ]);
  });

  it('demands the scopes of the contract, in code and in document alike', () => {
    for (const { operationId, method, path, anyOf } of KEY_ROUTES) {
      const access = handlers().find((handler) => handler.method === method && handler.path === path)?.access;
      expect(access, operationId).toEqual({ kind: 'key', anyOf });
      const operation = document.paths[path]![method.toLowerCase() as 'get']!;
      expect(operation.security, operationId).toEqual([{ apiKey: anyOf }]);
      expect((operation as unknown as Record<string, unknown>)['x-any-scope'], operationId).toEqual(anyOf);
    }
  });
});

describe('every answer of the document has a test', () => {
  const tested = (folder: string): string[] =>
    existsSync(join(HTTP_TESTS, folder))
      ? readdirSync(join(HTTP_TESTS, folder))
          .filter((name) => /^\d{3}\.spec\.ts$/.test(name))
          .map((name) => name.slice(0, 3))
      : [];

  it.each(ROUTES)('$method $path: test/http/$folder', ({ operationId, folder, path }) => {
    const { responses } = operationsOf(document).find((operation) => operation.operationId === operationId)!;
    const ofFiles = path.startsWith('/files/') ? ['429', '500', '503'] : [];
    const everywhere = path.startsWith('/api/') ? tested('every-route') : ofFiles;
    const covered = new Set([...tested(folder), ...everywhere]);
    const documented = Object.keys(responses);
    expect(documented.filter((status) => !covered.has(status))).toEqual([]);
    expect(tested(folder).filter((status) => !documented.includes(status))).toEqual([]);
  });

  it('and every folder belongs to a route', () => {
    const others = new Set(['every-route', 'get-docs', 'unknown-route', 'keys']);
    const folders = readdirSync(HTTP_TESTS).filter((name) => !others.has(name));
    expect(folders.toSorted()).toEqual(ROUTES.map(({ folder }) => folder).toSorted());
  });
});
