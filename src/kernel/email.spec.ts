import { describe, expect, it } from 'vitest';
import { isEmail } from './email.js';

describe('isEmail', () => {
  it.each([
    'ada@example.com',
    "o'brien+shop@mail.example.co.uk",
    'grüße@bücher.example',
    'postmaster@localhost',
    `${'a'.repeat(242)}@example.com`,
  ])('accepts %s', (text) => {
    expect(isEmail(text)).toBe(true);
  });

  it.each([
    '',
    'ada',
    '@example.com',
    'ada@',
    'ada@one@two.example',
    'ada @example.com',
    'ada@example.com\n',
    `${'a'.repeat(243)}@example.com`,
  ])('refuses %j', (text) => {
    expect(isEmail(text)).toBe(false);
  });

  it.each([
    '(1)ada@example.com',
    'ada@example.com(x)',
    'root,ada@example.com',
    'ada@example.com;root',
    'root:ada@example.com',
    'ada@example.com<root>',
    '"ada b"@example.com',
    String.raw`ada\@example.com`,
    'ada@[127.0.0.1]',
  ])('refuses %s, in which a mail program may read another recipient', (text) => {
    expect(isEmail(text)).toBe(false);
  });
});
