import { describe, expect, it } from 'vitest';
import { effectiveLimits, PLAN_LIMITS, upgradeFor } from './plans.js';

const GB = 2 ** 30;

describe('PLAN_LIMITS', () => {
  it('are those of the specification', () => {
    expect(PLAN_LIMITS.free).toEqual({ rpm: 30, enhancements: 50, storageBytes: GB, keys: 1 });
    expect(PLAN_LIMITS.personal).toEqual({ rpm: 120, enhancements: 2_000, storageBytes: 50 * GB, keys: 3 });
    expect(PLAN_LIMITS.business).toEqual({
      rpm: 600,
      enhancements: 20_000,
      storageBytes: 500 * GB,
      keys: 15,
    });
  });
});

describe('effectiveLimits', () => {
  it('replaces limits of the plan with those agreed for the account', () => {
    expect(effectiveLimits('enterprise', { rpm: 5_000, keys: 0 })).toEqual({
      ...PLAN_LIMITS.enterprise,
      rpm: 5_000,
      keys: 0,
    });
    expect(effectiveLimits('free', null)).toEqual(PLAN_LIMITS.free);
    expect(effectiveLimits('free', {})).toEqual(PLAN_LIMITS.free);
  });
});

describe('upgradeFor', () => {
  it.each([
    ['free', 'enhancements', 50, 'personal'],
    ['free', 'enhancements', 1_999, 'personal'],
    ['free', 'enhancements', 2_000, 'business'],
    ['free', 'enhancements', 20_000, 'enterprise'],
    ['free', 'storageBytes', GB, 'personal'],
    ['free', 'storageBytes', 50 * GB, 'business'],
    ['personal', 'enhancements', 2_000, 'business'],
    ['personal', 'enhancements', 10, 'business'],
    ['business', 'enhancements', 20_000, 'enterprise'],
    ['business', 'storageBytes', 0, 'enterprise'],
    ['enterprise', 'storageBytes', 0, null],
  ] as const)('of %s with %s %i used: %s', (plan, limit, used, upgrade) => {
    expect(upgradeFor(plan, limit, used)).toBe(upgrade);
  });
});
