import { describe, expect, it } from 'vitest';
import { routableUrl } from './routable-url.js';

describe('routableUrl', () => {
  it.each([
    '/',
    '/api/usage',
    '/api/%75sage',
    '/api/ai/enhance/a%2Fb%25c',
    '/api/usage?a=%E4&b=%',
    '/a#%',
    '//b/c',
    '/%e2%80%ae',
  ])('keeps %s', (url) => {
    expect(routableUrl(url)).toBe(url);
  });

  it.each([
    ['/%', '/%25'],
    ['/api/ai/enhance/%E4', '/api/ai/enhance/%25E4'],
    ['/a%20b/%zz?c=%E4', '/a%2520b/%25zz?c=%E4'],
    ['/%c0%af#%', '/%25c0%25af#%'],
    ['http://proxied.example/api/usage?a=b', '/api/usage?a=b'],
    ['HTTPS://proxied.example', '/'],
    ['http://proxied.example?a', '/?a'],
    ['*', '/*'],
    ['', '/'],
  ])('turns %s into %s', (target, url) => {
    expect(routableUrl(target)).toBe(url);
  });
});
