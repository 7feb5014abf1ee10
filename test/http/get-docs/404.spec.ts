import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Harness } from '../../support/app/harness.js';
import { sharedHarness } from '../../support/app/shared-harness.js';

let harness: Harness;
beforeAll(async () => {
  harness = await sharedHarness();
});
afterAll(() => harness.close());

it.each([
  ['nothing', '../docs/quickstart'],
  ['reference/nothing', '../../docs/quickstart'],
  ['Jobs', '../docs/quickstart'],
  ['decisions/0100-postgresql-is-the-truth', '../../docs/quickstart'],
])('GET /docs/%s in a browser → 404 with a page', async (name, link) => {
  const headers = { accept: 'text/html,application/xhtml+xml' };
  const response = await fetch(`${harness.url}/docs/${name}`, { headers });
  const text = await response.text();
  expect(response.status).toBe(404);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(text).toContain('<h1>Page not found</h1>');
  expect(text).toContain(`href="${link}"`);
});

it.each([
  'nothing',
  'nothing.md',
  'nothing.js',
  'plans.md',
  'reference.md',
  'README.md',
  'openapi.json',
  'constructor',
  '__proto__',
  'constructor.md',
  'reference/nothing',
  'reference/jobs/x',
  'reference/constructor',
  'decisions/0100-postgresql-is-the-truth',
  'decisions/0100-postgresql-is-the-truth.md',
  'site/site.css',
  '%00',
  'chains%00.md',
  '%2e%2e%2fpackage.json',
  'chains%2f..%2f..%2fpackage.json',
  'Chains',
  'a'.repeat(3_000),
  'explorer/%00',
  'explorer/nothing.js',
])('GET /docs/%s → 404', async (name) => {
  const { status, headers } = await harness.call('GET', `/docs/${name}`);
  expect(status).toBe(404);
  expect(headers['content-type']).toMatch(/^application\/problem\+json/);
});

it('GET /docs/jobs/ in a browser → 308 to the page', async () => {
  const headers = { accept: 'text/html,application/xhtml+xml' };
  const response = await fetch(`${harness.url}/docs/jobs/`, { headers, redirect: 'manual' });
  expect([response.status, response.headers.get('location')]).toEqual([308, '../jobs']);
});
