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
    ['Person@Example.org', /email/],
    ['person1234567!', /part of the email/],
    ['examplePERSON', undefined],
    ['personpersonperson', /part of the email/],
    ['1q2w3e4r5t6y', /easy to guess/],
    ['Password123!', /easy to guess/],
    ['passwordpassword', /easy to guess/],
    ['Qwertyuiop12', /easy to guess/],
    ['!!Unbelievable!!', /easy to guess/],
    ['letmein1 letmein1', undefined],
    ['abcd1234abcd1234', /easy to guess/],
    ['dragon1234567890', /easy to guess/],
    ['123456789012', /easy to guess/],
    ['abcdefabcdef', /easy to guess/],
    ['abcdefghijkl', /easy to guess/],
    ['aaaabbbbccccdddd', /easy to guess/],
    ['PaSsWoRd２０２４', /easy to guess/],
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
