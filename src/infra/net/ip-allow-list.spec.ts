import { describe, expect, it } from 'vitest';
import { isAddressIn, normalizedNetwork } from './ip-allow-list.js';

describe('normalizedNetwork', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7/32'],
    [' 10.1.2.3/8 ', '10.0.0.0/8'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:DB8::1', '2001:db8::1/128'],
    ['2001:db8:1:2::9/48', '2001:db8:1::/48'],
    ['::/0', '::/0'],
  ])('normalizes %s to %s', (text, kept) => {
    expect(normalizedNetwork(text)).toBe(kept);
  });

  it.each([
    '',
    'localhost',
    '192.0.2',
    '192.0.2.7/33',
    '192.0.2.7/',
    '192.0.2.7/8/8',
    '192.0.2.7/-1',
    '192.0.2.256',
    '0x7f000001',
    '127.1',
    '2001:db8::/129',
    'fe80::1%eth0',
    '::ffff:192.0.2.7',
    '::ffff:192.0.2.0/120',
    '1'.repeat(5_000),
  ])('refuses %j', (text) => {
    expect(normalizedNetwork(text)).toBeUndefined();
  });
});

describe('isAddressIn', () => {
  const networks = ['192.0.2.0/24', '2001:db8::/32'];

  it.each(['192.0.2.0', '192.0.2.255', '::ffff:192.0.2.7', '::ffff:c000:207', '2001:db8:ffff::1'])(
    'matches %s',
    (address) => {
      expect(isAddressIn(address, networks)).toBe(true);
    },
  );

  it.each(['192.0.3.0', '::ffff:192.0.3.1', '2001:db9::1', '::1', 'unknown', ''])(
    'does not match %j',
    (address) => {
      expect(isAddressIn(address, networks)).toBe(false);
    },
  );

  it('matches nothing with an empty list', () => {
    expect(isAddressIn('192.0.2.7', [])).toBe(false);
  });
});
