import { describe, expect, it } from 'vitest';
import { emailDomains } from './email-domains.js';

const { read } = emailDomains('OIDC_EMAIL_DOMAINS', { text: '' });

describe('emailDomains', () => {
  it.each([
    [undefined, []],
    [' ', []],
    ['Example.com', ['example.com']],
    ['example.com, a-b.example.co.uk', ['example.com', 'a-b.example.co.uk']],
  ])('reads %j', (raw, domains) => {
    expect(read(raw)).toEqual(domains);
  });

  it.each(['@example.com', 'example.com,', '*.example.com', 'https://example.com', 'example..com'])(
    'refuses %s',
    (raw) => {
      expect(() => read(raw)).toThrow(/^must be domains separated by commas/);
    },
  );
});
