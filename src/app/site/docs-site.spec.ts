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
