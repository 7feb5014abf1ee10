import { describe, expect, it } from 'vitest';
import { isSameOrigin } from './same-origin.js';

const PUBLIC_URL = 'https://images.example/base';

describe('isSameOrigin', () => {
  it.each([
    [{}, true],
    [{ 'sec-fetch-site': 'same-origin' }, true],
    [{ 'sec-fetch-site': 'none' }, true],
    [{ 'sec-fetch-site': 'same-site' }, false],
    [{ 'sec-fetch-site': 'cross-site', origin: 'https://images.example' }, false],
    [{ origin: 'https://images.example' }, true],
    [{ origin: 'http://localhost:3000', host: 'localhost:3000' }, true],
    [{ origin: 'http://localhost:3001', host: 'localhost:3000' }, false],
    [{ origin: 'https://evil.example', host: 'images.example' }, false],
    [{ origin: 'null', host: 'images.example' }, false],
  ])('%j → %s', (headers, same) => {
    expect(isSameOrigin(headers, PUBLIC_URL)).toBe(same);
  });
});
