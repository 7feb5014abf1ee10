import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { postmanCollection } from './postman-collection.js';

interface Item {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly auth?: { readonly type: string };
    readonly url: { readonly raw: string; readonly variable?: readonly { readonly key: string }[] };
    readonly body?: { readonly raw?: string };
  };
}

const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as { paths: Record<string, object> };
const { item: folders } = postmanCollection(document) as { item: { item: Item[] }[] };
const items = folders.flatMap(({ item }) => item);

describe('postmanCollection', () => {
  it('contains every operation exactly once', () => {
    const wanted = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const found = items.map(({ request: { method, url } }) => {
      const path = url.raw.replace('{{baseUrl}}', '').replaceAll(/:(\w+)|\{\{(\w+)\}\}/g, '{$1$2}');
      return `${method} ${path}`;
    });
    expect(found.toSorted()).toEqual(wanted.toSorted());
  });

  it('lists path parameters, omits the key where none is needed, and includes a sample body', () => {
    const byUrl = (raw: string) => items.filter(({ request }) => request.url.raw === `{{baseUrl}}/${raw}`);
    expect(byUrl('api/ai/sources/:id')[0]!.request.url.variable).toEqual([
      { key: 'id', value: '', description: expect.any(String) },
    ]);
    expect(byUrl('health/live')[0]!.request.auth).toEqual({ type: 'noauth' });
    const create = byUrl('api/ai/enhance').find(({ request }) => request.method === 'POST');
    expect(JSON.parse(create!.request.body!.raw!)).toMatchObject({ operation: 'bg_remove' });
  });
});
