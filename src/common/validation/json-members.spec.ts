import { describe, expect, it } from 'vitest';
import { hasMoreMembers } from './json-members.js';

const wide = (count: number): string =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${index}`, 0])));

describe('hasMoreMembers', () => {
  it.each([
    ['an object', wide(201)],
    ['an array', JSON.stringify(Array.from({ length: 201 }, () => 0))],
    ['nested arrays', '['.repeat(201)],
    ['an object in an object', `{"metadata":${wide(200)}}`],
    ['an unfinished string after them', `${wide(201).slice(0, -1)},"`],
  ])('is true for %s with more members', (_name, text) => {
    expect(hasMoreMembers(text, 200)).toBe(true);
  });

  it.each([
    ['as many', wide(200)],
    ['commas in a string', JSON.stringify({ text: ',[{'.repeat(1_000) })],
    ['quotes in a string', JSON.stringify({ text: '","'.repeat(1_000) })],
    ['backslashes in a string', JSON.stringify({ text: '\\",'.repeat(1_000) })],
    ['nothing', ''],
  ])('is false for %s', (_name, text) => {
    expect(hasMoreMembers(text, 200)).toBe(false);
  });

  it('handles a text that is one long string of escapes', () => {
    expect(hasMoreMembers(`"${'\\"'.repeat(2 ** 23)}"`, 200)).toBe(false);
    expect(hasMoreMembers(`"${'\\"'.repeat(2 ** 23)}`, 200)).toBe(false);
  });
});
