import { describe, expect, it } from 'vitest';
import { newId } from '../ids.js';
import { livemodeOf, testAccountOf } from './livemode.js';

describe('testAccountOf', () => {
  it('gives each account its own test mode', () => {
    const [one, other] = [newId('account'), newId('account')];
    expect(testAccountOf(one)).toBe(`test_${one.slice('acc_'.length)}`);
    expect(testAccountOf(one)).not.toBe(testAccountOf(other));
  });
});

describe('livemodeOf', () => {
  it('distinguishes live and test mode', () => {
    const account = newId('account');
    expect(livemodeOf(account)).toBe(true);
    expect(livemodeOf(testAccountOf(account))).toBe(false);
  });
});
