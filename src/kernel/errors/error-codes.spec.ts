import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from './error-codes.js';
import type { ErrorCodeEntry } from './error-code-entry.js';

const ENTRIES = Object.entries<ErrorCodeEntry>(ERROR_CODES);

describe('ERROR_CODES', () => {
  it.each(ENTRIES)(
    '%s: what a client changes nothing about is retryable, and nothing else',
    (code, entry) => {
      // A 429, a 408 and a 5xx pass by themselves, and so may the outage of another host; a fault of the request does not.
      const passes = [408, 429, 500, 503];
      if (entry.status !== 409) {
        expect(entry.retryable).toBe(passes.includes(entry.status) || code === 'url_fetch_failed');
      }
    },
  );

  it('gives every title once for each status', () => {
    const titles = ENTRIES.map(([, { status, title }]) => `${status} ${title}`);
    expect(new Set(titles).size).toBe(titles.length);
  });
});
