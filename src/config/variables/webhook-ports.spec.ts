import { describe, expect, it } from 'vitest';
import { DEFAULT_WEBHOOK_PORTS } from '../../kernel/ports.js';
import { ports } from './webhook-ports.js';

const { read } = ports('WEBHOOK_PORTS', { text: 'Ports.' });

describe('WEBHOOK_PORTS', () => {
  it('falls back to the default when it is not set', () => {
    expect(read(undefined)).toBe(DEFAULT_WEBHOOK_PORTS);
    expect(read(' ')).toBe(DEFAULT_WEBHOOK_PORTS);
  });

  it('accepts ports and ranges', () => {
    expect(read('443, 8443,9000-9100')).toEqual([
      { first: 443, last: 443 },
      { first: 8443, last: 8443 },
      { first: 9000, last: 9100 },
    ]);
    expect(read('1-65535')).toEqual([{ first: 1, last: 65_535 }]);
  });

  it.each([
    'x',
    '0',
    '443,',
    ',',
    '65536',
    '9100-9000',
    '-5',
    '5-',
    '1-2-3',
    '4.5',
    '443;80',
    '0-10',
    '99999',
  ])('refuses %s, and explains the format', (raw) => {
    expect(() => read(raw)).toThrow(
      /^must be ports and ranges such as 443,8443,9000-9100; ".*" is not a valid port or range$/,
    );
  });
});
