import { expect, it } from 'vitest';
import { DocsSite } from './docs-site.js';

it.each(['', 'plans', 'reference', 'reference/jobs'])('renders the page %j once', async (path) => {
  const site = new DocsSite();
  const first = site.page(path);
  expect(await first).toContain('<!doctype html>');
  expect(site.page(path)).toBe(first);
});

it.each(['unknown', 'reference/unknown', 'constructor'])('keeps nothing for %j', async (path) => {
  const site = new DocsSite();
  const first = site.page(path);
  expect(await first).toBeUndefined();
  expect(site.page(path)).not.toBe(first);
});

it('finds guides before the changelog, whose headings are words that readers search for', async () => {
  const site = new DocsSite();
  for (const query of [
    'webhooks',
    'dashboard',
    'operator console',
    'configuration',
    'databases',
    'storage',
  ]) {
    const found = (await site.find(query)).slice(0, 5).map(({ href }) => href);
    expect(found, query).toHaveLength(5);
    expect(found, query).not.toContainEqual(expect.stringMatching(/^changelog/));
  }
});
