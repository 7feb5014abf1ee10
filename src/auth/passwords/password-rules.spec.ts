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
    ['person1234567!', /part of the e-mail/],
    ['examplePERSON', undefined],
    ['personpersonperson', /part of the e-mail/],
    ['1q2w3e4r5t6y', /guessers/],
    ['Password123!', /guessers/],
    ['passwordpassword', /guessers/],
    ['Qwertyuiop12', /guessers/],
    ['!!Unbelievable!!', /guessers/],
    ['letmein1 letmein1', undefined],
    ['abcd1234abcd1234', /guessers/],
    ['dragon1234567890', /guessers/],
    ['123456789012', /guessers/],
    ['abcdefabcdef', /guessers/],
    ['abcdefghijkl', /guessers/],
    ['aaaabbbbccccdddd', /guessers/],
    ['PaSsWoRd２０２４', /guessers/],
    ['correct horse battery staple', undefined],
    ['summer dragon', undefined],
    ['x7$kq9!mPz2w', undefined],
    ['482915370266', undefined],
  ])('of %s', (password, fault) => {
    const found = passwordFault(password, 'person@example.org');
    if (fault === undefined) expect(found).toBeUndefined();
    else expect(found).toMatch(fault);
  });
});
