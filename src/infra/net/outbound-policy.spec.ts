import { describe, expect, it } from 'vitest';
import { addressFault, literalAddress } from './outbound-policy.js';

/** Every form of address that does not lead to a public machine, by category. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  'loopback address': ['127.0.0.1', '127.255.255.254', '::1'],
  private: [
    '10.0.0.1',
    '10.255.255.255',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    'fc00::1',
    'fdff::1',
  ],
  'link-local': ['169.254.0.1', '169.254.169.254', 'fe80::1', 'fe80::1%eth0', 'febf::1'],
  CGNAT: ['100.64.0.1', '100.127.255.255'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1'],
  broadcast: ['255.255.255.255'],
  unspecified: ['0.0.0.0', '0.1.2.3', '::'],
  'site-local': ['fec0::1', 'feff::1'],
  mapped: [
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:7f00:1',
    '::127.0.0.1',
    '::8.8.8.8',
  ],
  translated: ['::ffff:0:127.0.0.1', '::ffff:0:7f00:1'],
  NAT64: ['64:ff9b::7f00:1', '64:ff9b::8.8.8.8', '64:ff9b:1::a00:1'],
  '6to4': ['2002:7f00:1::', '2002:a00:1::1', '2002:808:808::1'],
  Teredo: ['2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  benchmarking: ['2001:2::1'],
  reserved: [
    '192.0.0.1', // protocol assignments
    '192.0.2.1', // documentation
    '198.51.100.1',
    '203.0.113.1',
    '198.18.0.1', // benchmarking
    '198.19.255.255',
    '192.88.99.1', // 6to4 relays
    '192.31.196.1', // AS112
    '192.175.48.1',
    '192.52.193.1', // AMT
    '240.0.0.1',
    '255.255.255.254',
    '2001:db8::1', // documentation
    '3fff::1',
    '2001:10::1', // ORCHID
    '2001:20::1',
    '2001:1ff::1', // protocol assignments
    '100::1', // discard
    '5f00::1', // segment routing
    '::7f00:1', // IPv4-compatible; in dotted form it is parsed as mapped
    '::808:808',
    '::2',
    '1::1',
    '4000::1', // unassigned
    'c000::1',
  ],
};
const cases = Object.entries(REFUSED).flatMap(([kind, list]) =>
  list.map((address) => [kind, address] as const),
);

describe('addressFault', () => {
  it.each(cases)('%s: %s', (kind, address) => {
    expect(addressFault(address, [])).toContain(kind);
  });

  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.1',
    '100.63.255.255',
    '100.128.0.1',
    '126.255.255.255',
    '128.0.0.1',
    '169.253.255.255',
    '172.15.255.255',
    '172.32.0.1',
    '192.167.255.255',
    '192.169.0.1',
    '198.17.255.255',
    '198.20.0.1',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:4001::1',
    '2001:4860:4860::8888',
    '2003::1',
  ])('accepts the neighboring public address: %s', (address) => {
    expect(addressFault(address, [])).toBeUndefined();
  });

  it.each(['', 'localhost', '1.2.3.4.5', '::ffff:1.2.3.4.5', 'fe80::1%a-b'])(
    'refuses text that is not an address: %j',
    (text) => {
      expect(addressFault(text, [])).toBe('not an IP address');
    },
  );

  it('accepts exactly the allowed networks', () => {
    const allowed = ['127.0.0.0/8', '10.1.0.0/16', 'fd00:1::/32'];
    for (const address of ['127.0.0.1', '10.1.255.255', 'fd00:1::9']) {
      expect(addressFault(address, allowed)).toBeUndefined();
    }
    for (const address of ['10.2.0.1', 'fd00:2::9', '::1', '::ffff:127.0.0.1', '192.168.0.1']) {
      expect(addressFault(address, allowed), address).toBeDefined();
    }
  });
});

describe('literalAddress', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['[::1]', '::1'],
    ['2130706433', '2130706433'],
    ['0x7f000001', '0x7f000001'],
    ['0177.0.0.1', '0177.0.0.1'],
    ['127.1', '127.1'],
    // Node would connect to it without a lookup, so it must not count as a name.
    ['fe80::1%a-b', 'fe80::1%a-b'],
    ['example.com', undefined],
    ['1.example.com', undefined],
    ['localhost', undefined],
  ])('%s → %s', (hostname, expected) => {
    expect(literalAddress(hostname)).toBe(expected);
  });
});
