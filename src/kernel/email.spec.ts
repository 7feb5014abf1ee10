import { describe, expect, it } from 'vitest';
import { caseFolded, isEmail } from './email.js';

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

  it('refuses every letter outside of ASCII whose lower case is in ASCII', () => {
    const accepted = [];
    for (let code = 0x80; code <= 0x10_ff_ff; code += 1) {
      const letter = String.fromCodePoint(code);
      if (/[\0-\u007F]/.test(letter.toLowerCase()) && isEmail(`${letter}@example.org`)) accepted.push(letter);
    }
    expect(accepted).toEqual([]);
    for (const text of ['vİctim@example.org', '\u212Aate@example.org', 'ada@\u212Aate.example'])
      expect(isEmail(text), text).toBe(false);
  });
});

describe('isEmail, for domains that IDNA maps to one', () => {
  it.each([
    'ada@Example.ORG',
    'ada@bücher.example',
    'ada@BÜCHER.example',
    'ada@xn--bcher-kva.example',
    'ada@straße.example',
    'ada@mail_1.example',
    'ada@192.0.2.1',
  ])('accepts the standard spelling %s', (text) => {
    expect(isEmail(text)).toBe(true);
  });

  it.each([
    'ada@ｅxample.org',
    'ada@example。org',
    'ada@exampſe.org',
    'ada@bu\u0308cher.example',
    'ada@ex\u00ADample.org',
    'ada@ex\u200Bample.org',
    'ada@exa%6dple.org',
    'ada@example.org/x',
    'ada@example.org.',
    'ada@127.1',
    'ada@xn--a',
  ])('refuses %j, because its emails go to another spelling', (text) => {
    expect(isEmail(text)).toBe(false);
  });
});

describe('caseFolded', () => {
  it.each([
    ['vİctim@example.org', 'victim@example.org'],
    ['\u212Aate@example.org', 'KATE@example.org'],
    ['ΝΊΚΟΣ@example.org', 'νίκοσ@example.org'],
    ['νίκος@example.org', 'νίκοσ@example.org'],
  ])('makes %s equal to %s', (one, other) => {
    expect(caseFolded(one)).toBe(caseFolded(other));
  });
});
