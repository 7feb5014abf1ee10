import { i18n } from '@lingui/core';
import { afterEach, describe, expect, it } from 'vitest';
import { messages } from '../../../locales/de.po';
import { retryText } from './retry-text.js';

const NOW_MS = Date.parse('2026-11-24T12:00:00Z');
const pending = { status: 'pending', attemptCount: 2, maxAttempts: 10 } as const;

describe('retryText', () => {
  afterEach(() => i18n.activate('en'));

  it('tells which attempt comes next, and when', () => {
    const nextAttemptAt = '2026-11-24T12:04:00Z';
    expect(retryText({ ...pending, nextAttemptAt }, NOW_MS)).toBe(
      'Retrying, attempt 3 of 10, next in 4 minutes',
    );
  });

  it('describes an attempt that is due or in progress', () => {
    const nextAttemptAt = '2026-11-24T11:59:59Z';
    expect(retryText({ ...pending, nextAttemptAt }, NOW_MS)).toBe('Retrying, attempt 3 of 10, next now');
    expect(retryText({ ...pending, nextAttemptAt: null }, NOW_MS)).toBe('Retrying, attempt 3 of 10');
  });

  it('is in the language of the dashboard', () => {
    i18n.loadAndActivate({ locale: 'de', messages });
    const nextAttemptAt = '2026-11-24T11:59:59Z';
    expect(retryText({ ...pending, nextAttemptAt }, NOW_MS)).toMatch(/ nächster jetzt$/);
  });

  it('is null for a first attempt, and after the last one', () => {
    const rest = { maxAttempts: 10, nextAttemptAt: null };
    expect(retryText({ ...rest, status: 'pending', attemptCount: 0 }, NOW_MS)).toBeNull();
    expect(retryText({ ...rest, status: 'failed', attemptCount: 10 }, NOW_MS)).toBeNull();
  });
});
