import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { generateApiKey, hashApiKey, isWellFormedApiKey } from './api-key.js';

describe('generateApiKey', () => {
  it('generates distinct keys of the same format', () => {
    const keys = Array.from({ length: 200 }, () => generateApiKey().key);
    for (const key of keys) expect(key).toMatch(/^ies_[0-9A-Za-z]{49}$/);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('generates test keys with a prefix that sets them apart from live keys', () => {
    const { key, prefix, last4 } = generateApiKey(false);
    expect(key).toMatch(/^ies_test_[0-9A-Za-z]{49}$/);
    expect(prefix).toBe(key.slice(0, 13));
    expect(key.endsWith(last4)).toBe(true);
    expect(isWellFormedApiKey(key)).toBe(true);
    expect(isWellFormedApiKey(key.replace('test_', ''))).toBe(true);
    expect(isWellFormedApiKey(key.slice(0, -1))).toBe(false);
  });

  it('returns what may be stored: the hash, the prefix, and the last four characters', () => {
    const { key, hash, prefix, last4 } = generateApiKey();
    expect(hash).toEqual(createHash('sha256').update(key).digest());
    expect(hash).toEqual(hashApiKey(key));
    expect(key.startsWith(prefix)).toBe(true);
    expect(key.endsWith(last4)).toBe(true);
  });
});

describe('isWellFormedApiKey', () => {
  const { key } = generateApiKey();

  it('accepts every generated key', () => {
    for (let index = 0; index < 200; index += 1) expect(isWellFormedApiKey(generateApiKey().key)).toBe(true);
  });

  it('detects any single wrong character', () => {
    for (let at = 0; at < key.length; at += 1) {
      const other = key[at] === 'Z' ? 'Y' : 'Z';
      expect(isWellFormedApiKey(key.slice(0, at) + other + key.slice(at + 1)), String(at)).toBe(false);
    }
  });

  it('detects any two swapped neighbors', () => {
    for (let at = 4; at < key.length - 1; at += 1) {
      if (key[at] === key[at + 1]) continue;
      const swapped = key.slice(0, at) + key[at + 1]! + key[at]! + key.slice(at + 2);
      expect(isWellFormedApiKey(swapped), String(at)).toBe(false);
    }
  });

  it.each([
    '',
    'ies_',
    key.slice(0, -1),
    `${key}0`,
    ` ${key}`,
    `${key}\n`,
    key.replace('ies_', 'iex_'),
    'é'.repeat(53),
  ])('refuses %j', (text) => {
    expect(isWellFormedApiKey(text)).toBe(false);
  });
});
