import { describe, expect, it } from 'vitest';
import { domainFault, verifiedEmail } from './verified-email.js';

const identity = (email: string | undefined, isEmailVerified = true) => ({
  issuer: 'https://id.example',
  subject: '1',
  email,
  isEmailVerified,
});
const rules = { oidcEmailDomains: [], oidcTrustEmail: false };

describe('verifiedEmail', () => {
  it('returns an address only if the provider has verified it', () => {
    expect(verifiedEmail(identity('ada@example.com'), rules)).toBe('ada@example.com');
    expect(verifiedEmail(identity('ada@example.com', false), rules)).toBeUndefined();
    expect(verifiedEmail(identity('ada'), rules)).toBeUndefined();
    expect(verifiedEmail(identity(undefined), rules)).toBeUndefined();
  });

  it('returns any address from a trusted provider', () => {
    const trusted = { ...rules, oidcTrustEmail: true };
    expect(verifiedEmail(identity('ada@example.com', false), trusted)).toBe('ada@example.com');
    expect(verifiedEmail(identity(undefined, false), trusted)).toBeUndefined();
  });
});

describe('domainFault', () => {
  const some = { ...rules, oidcEmailDomains: ['example.com'] };

  it('admits everyone when no domains are configured', () => {
    expect(domainFault(identity('ada@example.net', false), rules)).toBeUndefined();
  });

  it('admits verified addresses in an allowed domain, ignoring case', () => {
    expect(domainFault(identity('Ada@Example.COM'), some)).toBeUndefined();
  });

  it.each([
    ['ada@example.net', true, 'email_not_allowed'],
    ['ada@mail.example.com', true, 'email_not_allowed'],
    ['ada@example.com.evil.example', true, 'email_not_allowed'],
    ['ada@example.com@evil.example', true, 'email_not_verified'],
    ['ada@example.com', false, 'email_not_verified'],
    [undefined, true, 'email_not_verified'],
  ])('refuses %s', (email, isVerified, fault) => {
    expect(domainFault(identity(email, isVerified), some)).toEqual({ kind: 'fault', fault });
  });
});
