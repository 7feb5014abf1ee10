import { describe, expect, it } from 'vitest';
import { clientBucket } from './client-address.js';

describe('clientBucket', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:0db8:0001:0002::/64'],
    ['2001:db8:1:2::9', '2001:0db8:0001:0002::/64'],
    ['2001:DB8::1', '2001:0db8:0000:0000::/64'],
    ['::1', '0000:0000:0000:0000::/64'],
    ['fe80::1%eth0', 'fe80:0000:0000:0000::/64'],
    ['not an address', 'unknown'],
    ['x'.repeat(5_000), 'unknown'],
  ])('%s is counted under %s', (address, bucket) => {
    expect(clientBucket(address)).toBe(bucket);
  });
});
