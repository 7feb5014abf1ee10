import { describe, expect, it } from 'vitest';
import { credentialsFaults } from './credentials-fault.js';

describe('credentialsFaults', () => {
  it('is empty for credentials that can be sent', () => {
    expect(credentialsFaults(' me@example.com ', 'a cow jumped', true)).toEqual({});
    expect(credentialsFaults('me@localhost', 'short', false)).toEqual({});
  });

  it('reports what is missing, field by field', () => {
    expect(credentialsFaults('', '', false)).toEqual({
      email: 'Enter your email address.',
      password: 'Enter your password.',
    });
    expect(credentialsFaults('me@', 'elf letters', true)).toEqual({
      email: 'Enter a complete email address, such as you@example.com.',
      password: 'Use at least 12 characters: add 1 more.',
    });
  });
});
