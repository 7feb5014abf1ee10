import { describe, expect, it } from 'vitest';
import { preferredLocale } from './locale.js';

describe('the language of the dashboard', () => {
  it.each([
    ['de', ['en-US'], 'de'],
    [null, ['de-AT', 'en'], 'de'],
    [null, ['fr', 'de', 'en'], 'de'],
    [null, ['fr-CA'], 'en'],
    [null, [], 'en'],
    ['xx', ['de'], 'de'],
    ['toString', ['en'], 'en'],
  ] as const)('for the choice %s and the browser languages %j is %s', (chosen, browser, locale) => {
    expect(preferredLocale(chosen, browser)).toBe(locale);
  });
});
