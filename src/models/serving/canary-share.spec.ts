import { describe, expect, it } from 'vitest';
import { type ActiveCanary, isInCanary } from './canary-share.js';

const MANY = Array.from({ length: 4_000 }, (_, index) => `acc_${index}`);

function canary(percent: number, version = 2, by: ActiveCanary['by'] = 'account'): ActiveCanary {
  const operation = {
    operation: 'upscale',
    description: '',
    levels: [],
    scales: { low: 2, medium: 2, high: 4 },
    producesAlpha: false,
    model: { name: 'm', version, sha256: 'ab' },
  };
  return { version, percent, by, since: '2030-01-01T00:00:00Z', operation };
}

const members = (one: ActiveCanary): string[] => MANY.filter((accountId) => isInCanary(one, { accountId }));

describe('isInCanary', () => {
  it.each([1, 10, 50])('selects about %i % of the accounts', (percent) => {
    const share = (members(canary(percent)).length / MANY.length) * 100;
    expect(Math.abs(share - percent)).toBeLessThan(3);
  });

  it('selects all accounts at 100%', () => {
    expect(members(canary(100))).toEqual(MANY);
  });

  it('keeps the accounts of a smaller share, and selects others for another version', () => {
    const [few, more] = [members(canary(5)), new Set(members(canary(20)))];
    expect(few.length).toBeGreaterThan(0);
    expect(few.filter((id) => !more.has(id))).toEqual([]);
    expect(members(canary(5, 3))).not.toEqual(few);
  });

  it('distinguishes the keys of an account only if the canary is by key', () => {
    const answers = (by: ActiveCanary['by']) =>
      new Set(MANY.map((keyId) => isInCanary(canary(50, 2, by), { accountId: 'acc_1', keyId })));
    expect(answers('account').size).toBe(1);
    expect(answers('key').size).toBe(2);
    const inBrowser = { accountId: 'acc_1', keyId: null };
    expect(isInCanary(canary(50, 2, 'key'), inBrowser)).toBe(isInCanary(canary(50), inBrowser));
  });
});
