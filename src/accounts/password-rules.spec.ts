import { describe, expect, it } from 'vitest';
import { passwordFault } from './password-rules.js';

describe('passwordFault', () => {
  it.each([
    ['a cow jumped', undefined],
    ['пароль из слов', undefined],
    ['eleven char', /at least 12/],
    ['😀'.repeat(6), /at least 12/],
    ['x'.repeat(201), /at most 200/],
    ['abababababab', /four different/],
    ['Person@Example.org', /e-mail/],
  ])('of %s', (password, fault) => {
    const found = passwordFault(password, 'person@example.org');
    if (fault === undefined) expect(found).toBeUndefined();
    else expect(found).toMatch(fault);
  });
});
