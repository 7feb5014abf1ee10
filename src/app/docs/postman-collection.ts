import {
  type ApiParameter,
  type PlacedOperation,
  placedOperations,
  type ReferenceDocument,
} from '../site/reference/api-document.js';

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/** The API as a Postman collection (v2.1), which Bruno and Insomnia can also import. */
export function postmanCollection(document: object): object {
  const operations = placedOperations((document as ReferenceDocument).paths);
  const tags = [...new Set(operations.map(({ operation }) => operation.tags?.[0] ?? 'Other'))];
  return {
    info: {
      name: 'Image Enhancement Service',
      description: 'Set the variables baseUrl and apiKey of the collection.',
      schema: SCHEMA,
    },
    auth: {
      type: 'apikey',
      apikey: [
        { key: 'key', value: 'x-api-key', type: 'string' },
        { key: 'value', value: '{{apiKey}}', type: 'string' },
        { key: 'in', value: 'header', type: 'string' },
      ],
    },
    variable: [
      { key: 'baseUrl', value: 'http://localhost:3000' },
      { key: 'apiKey', value: '' },
    ],
    item: tags.map((name) => ({
      name,
      item: operations.filter(({ operation }) => (operation.tags?.[0] ?? 'Other') === name).map(itemOf),
    })),
  };
}

function itemOf({ method, path, operation }: PlacedOperation): object {
  const { summary, description = '', parameters = [], security = [] } = operation;
  const body = bodyOf(operation.requestBody?.content ?? {});
  const isOpen = security.length === 0;
  return {
    name: summary,
    request: {
      method,
      description,
      ...(isOpen && { auth: { type: 'noauth' } }),
      header: [...namedIn(parameters, 'header'), ...body.header],
      url: urlOf(path, parameters),
      ...(body.body !== undefined && { body: body.body }),
    },
  };
}

/** A path variable in Postman is a whole segment, so parts of a segment become collection variables. */
function urlOf(path: string, parameters: readonly ApiParameter[]): object {
  const segments = path
    .slice(1)
    .split('/')
    .map((part) => part.replace(/^\{(\w+)\}$/, ':$1').replaceAll(/\{(\w+)\}/g, '{{$1}}'));
  const variable = parameters
    .filter(({ in: place, name }) => place === 'path' && segments.includes(`:${name}`))
    .map(({ name, description = '' }) => ({ key: name, value: '', description }));
  const query = namedIn(parameters, 'query');
  return {
    raw: `{{baseUrl}}/${segments.join('/')}`,
    host: ['{{baseUrl}}'],
    path: segments,
    ...(query.length > 0 && { query }),
    ...(variable.length > 0 && { variable }),
  };
}

/** Optional parameters are included but disabled. */
function namedIn(parameters: readonly ApiParameter[], place: string): object[] {
  return parameters
    .filter((parameter) => parameter.in === place)
    .map(({ name, description = '', required, schema }) => ({
      key: name,
      value: textOf((schema as { example?: unknown }).example ?? schema.default),
      description,
      disabled: required !== true,
    }));
}

function textOf(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

type Content = NonNullable<PlacedOperation['operation']['requestBody']>['content'];

function bodyOf(content: Content): { readonly header: object[]; readonly body?: object } {
  const json = content['application/json'];
  if (json !== undefined && json.example !== undefined) {
    return {
      header: [{ key: 'Content-Type', value: 'application/json' }],
      body: {
        mode: 'raw',
        raw: JSON.stringify(json.example, null, 2),
        options: { raw: { language: 'json' } },
      },
    };
  }
  if (content['multipart/form-data'] === undefined) return { header: [] };
  return { header: [], body: { mode: 'formdata', formdata: [{ key: 'file', type: 'file', src: '' }] } };
}
