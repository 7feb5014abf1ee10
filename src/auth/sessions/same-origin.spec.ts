import { describe, expect, it } from 'vitest';
import { isFromOwnPage, isSameOrigin } from './same-origin.js';

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

describe('isFromOwnPage', () => {
  it.each([
    [{}, false],
    [{ 'sec-fetch-site': 'same-origin' }, true],
    [{ 'sec-fetch-site': 'none' }, false],
    [{ 'sec-fetch-site': 'cross-site', referer: 'https://images.example/jobs' }, false],
    [{ referer: 'https://images.example/base/jobs/x' }, true],
    [{ referer: 'http://192.168.1.5:3000/jobs', host: '192.168.1.5:3000' }, true],
    [{ referer: 'http://192.168.1.5:3001/jobs', host: '192.168.1.5:3000' }, false],
    [{ referer: 'https://images.example.evil.example/', host: 'images.example' }, false],
    [{ referer: 'about:blank', host: 'images.example' }, false],
    [{ referer: 'not a URL', host: 'images.example' }, false],
  ])('%j → %s', (headers, own) => {
    expect(isFromOwnPage(headers, PUBLIC_URL)).toBe(own);
  });
});
