import { describe, expect, it } from 'vitest';
import { deviceDescription } from './device-description.js';

describe('deviceDescription', () => {
  it.each([
    [null, null],
    ['', null],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0', 'Firefox (Linux)'],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0',
      'Edge (Windows)',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
      'Safari (iOS)',
    ],
    ['curl/8.5.0', 'curl'],
    ['Mozilla/5.0 (X11; Linux x86_64) Something', 'Linux'],
    ['Your account is closed, call 0800 or visit http://evil.example', null],
    [`${'x'.repeat(5_000)}/1`, null],
  ])('of %s', (userAgent, description) => {
    expect(deviceDescription(userAgent)).toBe(description);
  });
});
