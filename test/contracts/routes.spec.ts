import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { RequestMethod } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { OpenAPIObject } from '@nestjs/swagger';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WEB_PAGES } from '../../src/app/api/web-pages.controller.js';
import {
  openApiDocument,
  operatorApiDocument,
  sessionApiDocument,
} from '../../src/app/api/openapi/openapi.js';
import { type Access, ACCESS_METADATA } from '../../src/common/access/access.decorator.js';
import { isPermitted, ROLES } from '../../src/kernel/accounts/roles.js';
import type { Harness } from '../support/app/harness.js';
import { sharedHarness } from '../support/app/shared-harness.js';
import { operationsOf } from '../support/app/openapi-conformance.js';
import { DASHBOARD_FOLDERS, DASHBOARD_ROUTES, OPERATOR_ROUTES } from '../support/app/dashboard-routes.js';
import { KEY_ROUTES, OPEN_ROUTES } from '../support/app/routes.js';

/** The metadata key that `@ApiExcludeController` sets. */
const EXCLUDED = 'swagger/apiExcludeController';
const HTTP_TESTS = 'test/http';
const ROUTES = [...KEY_ROUTES, ...OPEN_ROUTES];

let harness: Harness;
let document: OpenAPIObject;
beforeAll(async () => {
  harness = await sharedHarness();
  document = openApiDocument(harness.app);
});
afterAll(() => harness.close());

interface Handler {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly access: Access | undefined;
  readonly isExcluded: boolean;
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
      .flatMap((name) => [read(PATH_METADATA, prototype[name]!)].flat().map((path) => ({ name, path })))
      .map(({ name, path }) => {
        const handler = prototype[name]!;
        const parts = [read(PATH_METADATA, type), path].map(String);
        return {
          name: `${type.name}.${name}`,
          method: RequestMethod[read(METHOD_METADATA, handler) as number]!,
          path: `/${parts.join('/')}`
            .replaceAll(/\/{2,}/g, '/')
            .replace(/(.)\/$/, '$1')
            .replaceAll(/:(\w+)/g, '{$1}'),
          access: (read(ACCESS_METADATA, handler) ?? read(ACCESS_METADATA, type)) as Access | undefined,
          isExcluded: read(EXCLUDED, type) !== undefined,
        };
      });
  });
}

const isOfDashboard = ({ path }: { path: string }): boolean => path.startsWith('/dashboard/api/');
const isOfOperators = ({ path }: { path: string }): boolean => path.startsWith('/operator/api/');
const nameOf = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;

describe('every route', () => {
  it('declares who may call it', () => {
    const all = handlers();
    expect(all.length).toBeGreaterThan(15);
    expect(all.filter(({ access }) => access === undefined).map(({ name }) => name)).toEqual([]);
  });

  it('is in the document, which has no others', () => {
    const served = handlers().filter(
      (handler) => !handler.isExcluded && !isOfDashboard(handler) && !isOfOperators(handler),
    );
    expect(served.map(nameOf).toSorted()).toEqual(operationsOf(document).map(nameOf).toSorted());
  });

  it('of the dashboard is in the document of the dashboard, which has no others', () => {
    const documented = operationsOf(sessionApiDocument(harness.app)).map(nameOf);
    expect(documented.toSorted()).toEqual(handlers().filter(isOfDashboard).map(nameOf).toSorted());
    expect(documented.toSorted()).toEqual(DASHBOARD_ROUTES.map(nameOf).toSorted());
  });

  it('of the console is in the document of the console, which has no others', async () => {
    const documented = operationsOf(operatorApiDocument(harness.app)).map(nameOf);
    expect(documented.toSorted()).toEqual(handlers().filter(isOfOperators).map(nameOf).toSorted());
    expect(documented.toSorted()).toEqual(OPERATOR_ROUTES.map(nameOf).toSorted());
    const answer = await harness.call('GET', '/operator/openapi.json');
    expect(answer.body).toEqual(JSON.parse(JSON.stringify(operatorApiDocument(harness.app))));
  });

  it('is in the contract, which has no others', () => {
    const documented = operationsOf(document).map((route) => `${route.operationId}: ${nameOf(route)}`);
    expect(documented.toSorted()).toEqual(
      ROUTES.map((route) => `${route.operationId}: ${nameOf(route)}`).toSorted(),
    );
  });

  it('outside all documents is on the list of pages, files and other excluded paths', () => {
    const others = handlers().filter(({ isExcluded }) => isExcluded);
    const pages = WEB_PAGES.map((path) => `/${path}`.replace('//', '/').replace(/:(\w+)/g, '{$1}'));
    const files = ['/assets/{name}', '/favicon.svg', '/theme.js', '/files/thumb_{name}'];
    const documents = [
      '/docs',
      '/docs/model-status',
      '/docs/reference/{group}',
      '/docs/search',
      '/docs/search.json',
      '/docs/{name}',
      '/llms.txt',
    ];
    const sharedPages = ['', '/photo', '/download', '/original'].map((part) => `/share/{token}${part}`);
    const forOperators = ['/metrics'];
    const ofOtherServices = ['/api/remove', '/api/remove', '/v1.0/removebg'];
    expect(others.map(({ path }) => path).toSorted()).toEqual(
      [
        '/*',
        '/api/*',
        ...documents,
        ...pages,
        ...files,
        ...sharedPages,
        ...forOperators,
        ...ofOtherServices,
      ].toSorted(),
    );
  });

  it('of the dashboard for an organization is open to the roles in the table', () => {
    for (const handler of handlers().filter(isOfDashboard)) {
      const permission = handler.access?.kind === 'session' ? handler.access.permission : undefined;
      const permitted = ROLES.filter((role) => permission === undefined || isPermitted(role, permission));
      const { roles } = DASHBOARD_ROUTES.find((route) => nameOf(route) === nameOf(handler))!;
      expect(permitted.map((role) => role[0]).join(''), handler.name).toBe(roles);
    }
  });

  it('of the dashboard or the console requires a session, and no other route does', () => {
    for (const handler of handlers()) {
      const wanted = [...DASHBOARD_ROUTES, ...OPERATOR_ROUTES].find(
        (route) => nameOf(route) === nameOf(handler),
      );
      const need = wanted && { kind: 'session', need: wanted.need };
      if (need !== undefined) expect(handler.access, handler.name).toMatchObject(need);
      else expect(handler.access?.kind, handler.name).not.toBe('session');
    }
  });

  it('requires the scopes of the contract, both in code and in the document', () => {
    for (const { operationId, method, path, anyOf } of KEY_ROUTES) {
      const access = handlers().find((handler) => handler.method === method && handler.path === path)?.access;
      expect(access, operationId).toEqual({ kind: 'key', anyOf });
      const operation = document.paths[path]![method.toLowerCase() as 'get']!;
      expect(operation.security, operationId).toEqual(
        anyOf.length === 0 ? [{ apiKey: [] }] : anyOf.map((scope) => ({ apiKey: [scope] })),
      );
      expect((operation as unknown as Record<string, unknown>)['x-any-scope'], operationId).toEqual(anyOf);
    }
  });
});

describe('every response in the document has a test', () => {
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

  it('every folder belongs to a route', () => {
    const others = new Set([
      'every-route',
      'compat',
      'cors',
      'get-docs',
      'get-metrics',
      'unknown-route',
      'keys',
    ]);
    const folders = readdirSync(HTTP_TESTS).filter((name) => !others.has(name));
    const ofDashboard = [...DASHBOARD_FOLDERS];
    expect(folders.toSorted()).toEqual([...ROUTES.map(({ folder }) => folder), ...ofDashboard].toSorted());
  });
});
