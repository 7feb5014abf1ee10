import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from './error-codes.js';
import type { ErrorCodeEntry } from './error-code-entry.js';

const ENTRIES = Object.entries<ErrorCodeEntry>(ERROR_CODES);

describe('ERROR_CODES', () => {
  it.each(ENTRIES)('%s is retryable if and only if the same request may succeed later', (code, entry) => {
    // A 429, a 408, and a 5xx pass by themselves. So may an outage of another host, but not a bad request.
    const passes = [408, 429, 500, 503];
    if (entry.status !== 409) {
      expect(entry.retryable).toBe(passes.includes(entry.status) || code === 'url_fetch_failed');
    }
  });

  it.each(ENTRIES)('%s advises to send the same request again only if it is retryable', (_code, entry) => {
    const advisesRetry = /send the request again|`Retry-After`/i.test(entry.text);
    expect(advisesRetry && !entry.retryable).toBe(false);
  });

  it('has unique titles for each status', () => {
    const titles = ENTRIES.map(([, { status, title }]) => `${status} ${title}`);
    expect(new Set(titles).size).toBe(titles.length);
  });
});
