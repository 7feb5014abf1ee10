import { describe, expect, it } from 'vitest';
import { byteTicks } from './byte-ticks.js';
import { formatBytes } from '../../lib/format.js';

describe('byteTicks', () => {
  it.each([
    [0, '0 bytes, 1 kB'],
    [700, '0 bytes, 1 kB'],
    [4_078_961, '0 bytes, 1 MB, 2 MB, 3 MB, 4 MB'],
    [5_999_999, '0 bytes, 2 MB, 4 MB, 6 MB'],
    [3 * 1024 ** 2, '0 bytes, 1 MB, 2 MB, 3 MB'],
    [900 * 1024, '0 bytes, 256 kB, 512 kB, 768 kB, 1 MB'],
    [60 * 1024 ** 3, '0 bytes, 20 GB, 40 GB, 60 GB'],
    [3.5 * 1024 ** 4, '0 bytes, 1 TB, 2 TB, 3 TB, 4 TB'],
  ])('for %i bytes are %s', (largest, expected) => {
    expect(byteTicks(largest).map(formatBytes).join(', ')).toBe(expected);
    expect(byteTicks(largest).at(-1)).toBeGreaterThanOrEqual(largest);
  });
});
