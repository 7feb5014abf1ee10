import { describe, expect, it } from 'vitest';
import { UsageError } from '../command-line.mjs';
import { limitsOption, planArgument } from './plan-options.js';

describe('limitsOption', () => {
  it('reads any subset of the limits', () => {
    expect(limitsOption('rpm=1200,storageBytes=5e9,keys=0')).toEqual({
      rpm: 1200,
      storageBytes: 5_000_000_000,
      keys: 0,
    });
  });

  it.each(['', 'speed=1', 'rpm', 'rpm=', 'rpm=-1', 'rpm=1.5', 'enhancements=3e9', 'rpm=1=2', 'rpm=1,'])(
    'refuses %j',
    (text) => {
      expect(() => limitsOption(text)).toThrow(UsageError);
    },
  );
});

describe('planArgument', () => {
  it('takes the name of a plan and nothing else', () => {
    expect(planArgument('business')).toBe('business');
    expect(() => planArgument('Business')).toThrow('"Business" is not a plan. Plans: free, personal,');
  });
});
