import { describe, expect, it } from 'vitest';
import { parseArguments, UsageError } from '../arguments.js';
import { allowedIpsOf, expiryOf, KEY_OPTIONS } from './key-options.js';

const NOW_MS = Date.parse('2030-01-01T00:00:00Z');
const parsed = (...argv: readonly string[]) => parseArguments(argv, { options: KEY_OPTIONS, flags: [] });

describe('expiryOf', () => {
  it.each([
    [['--expires-in', '30m'], '2030-01-01T00:30:00.000Z'],
    [['--expires-in', '12h'], '2030-01-01T12:00:00.000Z'],
    [['--expires-in', '90d'], '2030-04-01T00:00:00.000Z'],
    [['--expires-in=2w'], '2030-01-15T00:00:00.000Z'],
    [['--expires-at', '2031-02-03'], '2031-02-03T00:00:00.000Z'],
    [['--expires', '2031-02-03'], '2031-02-03T00:00:00.000Z'],
  ])('%j ends at %s', (argv, end) => {
    expect(expiryOf(parsed(...argv), NOW_MS)?.toISOString()).toBe(end);
  });

  it('is never without an option', () => {
    expect(expiryOf(parsed(), NOW_MS)).toBeNull();
  });

  it.each([
    ['--expires-in=90'],
    ['--expires-in=0d'],
    ['--expires-in=soon'],
    ['--expires-at=soon'],
    ['--expires-at=2029-12-31'],
    ['--expires=2030-01-01T00:00:00Z'],
    ['--expires-in=1d', '--expires-at=2031-02-03'],
  ])('refuses %s %s', (...argv) => {
    expect(() => expiryOf(parsed(...argv), NOW_MS)).toThrow(UsageError);
  });
});

describe('allowedIpsOf', () => {
  it('reads addresses and networks, each once', () => {
    const given = parsed('--allow-ip', '192.0.2.7, 10.1.2.3/8,10.0.0.0/8,2001:db8::/32');
    expect(allowedIpsOf(given)).toEqual(['192.0.2.7/32', '10.0.0.0/8', '2001:db8::/32']);
    expect(allowedIpsOf(parsed())).toBeNull();
  });

  it.each(['office', '10.0.0.0/33', '192.0.2.7,', ''])('refuses %j', (text) => {
    expect(() => allowedIpsOf(parsed(`--allow-ip=${text}`))).toThrow(/"[^"]*" is neither/);
  });
});
