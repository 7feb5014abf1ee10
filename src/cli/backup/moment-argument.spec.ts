import { describe, expect, it } from 'vitest';
import { momentArgument } from './moment-argument.js';

const MINUTE_MS = 60_000;

describe('momentArgument', () => {
  it.each([
    ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T12:00Z', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T20:00:00+08:00', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31 20:00:00+0800', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31 09:00:00.123456-03', '2026-01-31T12:00:00.123Z'],
  ])('accepts %s', (text, moment) => {
    expect(momentArgument(text).toISOString()).toBe(moment);
  });

  it.each(['soon', '', '2026-01-31', '2026-01-31 20:00', '2026-02-31T12:00:00Z', '2026-01-31T25:00:00Z'])(
    'rejects "%s"',
    (text) => {
      expect(() => momentArgument(text)).toThrow(/must have a time zone/);
    },
  );

  it('rejects the future, in which nothing would be held', () => {
    expect(() => momentArgument(new Date(Date.now() + MINUTE_MS).toISOString())).toThrow(/in the future/);
    expect(momentArgument(new Date(Date.now() - MINUTE_MS).toISOString())).toBeInstanceOf(Date);
  });
});
