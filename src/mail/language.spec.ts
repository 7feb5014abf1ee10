import { describe, expect, it } from 'vitest';
import { languageOf } from './language.js';

describe('languageOf', () => {
  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['de', 'de'],
    ['DE-at, en;q=0.5', 'de'],
    ['en-US,en;q=0.9,de;q=0.8', 'en'],
    ['fr, de;q=0.7, en;q=0.3', 'de'],
    ['en;q=0.1, de;q=0.2', 'de'],
    ['de;q=0, fr', 'en'],
    ['*', 'en'],
    ['x'.repeat(10_000), 'en'],
  ])('of %s', (header, language) => {
    expect(languageOf(header)).toBe(language);
  });
});
