import { describe, expect, it } from 'vitest';
import { pagePath } from './page-path.js';

describe('pagePath', () => {
  it.each(['/', '/keys', '/jobs/job_1?tab=2#x'])('keeps %s', (path) => {
    expect(pagePath(path)).toBe(path);
  });

  it.each([
    undefined,
    '',
    'keys',
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    '/a\\b',
    '/a b',
    '/a\nb',
    ['/keys'],
    `/${'x'.repeat(1_000)}`,
  ])('does not follow %j', (path) => {
    expect(pagePath(path)).toBe('/');
  });
});
